package dev.bridle.cli.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.admin.v1.PortabilityServiceGrpc;
import dev.bridle.cli.console.CommandFailed;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportReceiverTest {
  @TempDir private Path directory;

  @Test
  void anExportThatBreaksOffWithoutADescriptionSaysItsStatus() throws IOException {
    Server server =
        InProcessServerBuilder.forName("breaks").addService(new BreaksOff()).build().start();
    ManagedChannel channel = InProcessChannelBuilder.forName("breaks").build();
    try (PartFile part = PartFile.open(directory.resolve("file"), false)) {
      ProgressLine progress = new ProgressLine(new PrintWriter(new StringWriter()));

      assertThatThrownBy(
              () ->
                  new ExportReceiver(progress)
                      .receive(channel, ExportRequest.getDefaultInstance(), part))
          .isInstanceOf(CommandFailed.class)
          .hasMessageContaining("The export was interrupted (UNAVAILABLE)")
          .hasMessageContaining("--resume");
      assertThat(part.path()).hasSize(3);
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }

  /** Sends three bytes and goes away. */
  private static final class BreaksOff extends PortabilityServiceGrpc.PortabilityServiceImplBase {
    @Override
    public void export(ExportRequest request, StreamObserver<ExportResponse> response) {
      response.onNext(
          ExportResponse.newBuilder().setData(ByteString.copyFrom(new byte[3])).build());
      response.onError(Status.UNAVAILABLE.asRuntimeException());
    }
  }
}
