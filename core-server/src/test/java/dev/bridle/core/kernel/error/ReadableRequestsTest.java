package dev.bridle.core.kernel.error;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadableRequestsTest {
  @TempDir Path directory;
  private TestCore core;
  private ManagedChannel socket;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    socket =
        NettyChannelBuilder.forAddress("127.0.0.1", core.core().grpcPort()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    socket.shutdownNow();
    core.close();
  }

  @Test
  void bytesThatAreNoMessageAreRefusedAsABadRequestWithoutAStackTrace() {
    Failures logged = new Failures();
    Logger grpc = Logger.getLogger("io.grpc");
    grpc.addHandler(logged);
    try {
      for (byte[] bytes : List.of(new byte[] {(byte) 0xff}, new byte[] {10, 5, 'a'}, noUtf8())) {
        assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "", () -> create(bytes));
      }
    } finally {
      grpc.removeHandler(logged);
    }
    assertThat(logged.thrown).isEmpty();

    CreateSessionRequest good = CreateSessionRequest.newBuilder().setWorkspaceId("default").build();
    assertThat(create(good.toByteArray()).getId()).isNotEmpty();
  }

  private static byte[] noUtf8() {
    byte tag = (byte) (CreateSessionRequest.WORKSPACE_ID_FIELD_NUMBER << 3 | 2);
    return new byte[] {tag, 3, (byte) 0xed, (byte) 0xa0, (byte) 0x80};
  }

  private Session create(byte[] request) {
    MethodDescriptor<byte[], Session> method =
        SessionServiceGrpc.getCreateSessionMethod().toBuilder(
                new Bytes(), SessionServiceGrpc.getCreateSessionMethod().getResponseMarshaller())
            .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + core.key());
    Channel owner =
        ClientInterceptors.intercept(socket, MetadataUtils.newAttachHeadersInterceptor(headers));
    return ClientCalls.blockingUnaryCall(owner, method, CallOptions.DEFAULT, request);
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Failures extends Handler {
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord logged) {
      if (logged.getThrown() != null) {
        thrown.add(logged.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
