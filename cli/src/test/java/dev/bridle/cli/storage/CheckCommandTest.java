package dev.bridle.cli.storage;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.CheckProgress;
import dev.bridle.admin.v1.CheckStorageRequest;
import dev.bridle.admin.v1.CheckStorageResponse;
import dev.bridle.admin.v1.StorageServiceGrpc;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.cli.admin.ServerFile;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckCommandTest {
  @TempDir private Path directory;

  @Test
  void aCheckThatEndsWithoutItsSummaryHasFoundNothingSound() throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new AnyCaller())
            .addService(new BreaksOff())
            .build()
            .start();
    try {
      ServerFile.here(
              "127.0.0.1", server.getPort(), URI.create("http://127.0.0.1"), Optional.empty())
          .write(directory);

      assertThat(run(1, "storage", "check", "--data-dir", directory.toString()).err())
          .contains("bridle: The check was interrupted. Run it again.");
    } finally {
      server.shutdownNow();
    }
  }

  private static final class AnyCaller extends AuthServiceGrpc.AuthServiceImplBase {
    @Override
    public void getCaller(GetCallerRequest request, StreamObserver<Caller> response) {
      response.onNext(Caller.getDefaultInstance());
      response.onCompleted();
    }
  }

  private static final class BreaksOff extends StorageServiceGrpc.StorageServiceImplBase {
    @Override
    public void checkStorage(
        CheckStorageRequest request, StreamObserver<CheckStorageResponse> response) {
      response.onNext(
          CheckStorageResponse.newBuilder().setProgress(CheckProgress.newBuilder()).build());
      response.onCompleted();
    }
  }
}
