package dev.bridle.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator's command whose server goes away in the middle of it. */
final class BrokenCoreTest {
  @TempDir private Path directory;

  @Test
  void aServerThatGoesAwayInTheMiddleLeavesTheOutcomeUnknown() throws IOException {
    CompletableFuture<Server> running = new CompletableFuture<>();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Present())
            .addService(new GoesAway(running))
            .build()
            .start();
    running.complete(server);
    try {
      ServerFile.here(
              "127.0.0.1", server.getPort(), URI.create("http://127.0.0.1:1"), Optional.empty())
          .write(directory);
      CommandFailed failed =
          catchThrowableOfType(
              CommandFailed.class,
              () ->
                  new AdminAccess(directory)
                      .with(keys -> keys.createApiKey(CreateApiKeyRequest.getDefaultInstance())));

      assertThat(failed).hasMessageContaining("its outcome is unknown");
      assertThat(failed.exitCode()).isEqualTo(ExitCodes.FAILED);
    } finally {
      server.shutdownNow();
    }
  }

  private static final class Present extends AuthServiceGrpc.AuthServiceImplBase {
    @Override
    public void getCaller(GetCallerRequest request, StreamObserver<Caller> answer) {
      answer.onNext(Caller.getDefaultInstance());
      answer.onCompleted();
    }
  }

  private static final class GoesAway extends AdminServiceGrpc.AdminServiceImplBase {
    private final CompletableFuture<Server> server;

    GoesAway(CompletableFuture<Server> server) {
      this.server = server;
    }

    @Override
    public void createApiKey(
        CreateApiKeyRequest request, StreamObserver<CreateApiKeyResponse> answer) {
      server.join().shutdownNow();
    }
  }
}
