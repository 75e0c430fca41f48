package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import org.junit.jupiter.api.Test;

/** The way by which an answer has come is what the server sees, and not what a caller says. */
class AnswerChannelTest extends AskedTasks {
  private static Metadata.Key<String> header(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  @Test
  void aCallerOverANetworkDoesNotNameItself() {
    String request = ask(begin(), "1", "deploy").getRequestId();
    String secret =
        AdminServiceGrpc.newBlockingStub(core.operator())
            .createApiKey(CreateApiKeyRequest.newBuilder().setActor("ben").build())
            .getSecret();
    Metadata headers = new Metadata();
    headers.put(header("authorization"), "Bearer " + secret);
    headers.put(header("bridle-channel"), "websocket");
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", core.core().grpcPort()).usePlaintext().build();
    try {
      PermissionRequest answered =
          PermissionServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .respondPermissionRequest(said(request).setApproved(true).build());

      assertThat(answered.getResponse().getAnswers(0).getChannel())
          .isEqualTo(ApprovalChannel.APPROVAL_CHANNEL_REST);
    } finally {
      channel.shutdownNow();
    }
  }
}
