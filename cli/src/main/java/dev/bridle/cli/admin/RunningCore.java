package dev.bridle.cli.admin;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The server that runs on a data directory, for work that may take long: what it is asked has no
 * deadline of its own.
 */
public final class RunningCore {
  private static final long ANSWER_SECONDS = 10;

  private final Path dataDir;

  /** The server of that directory. */
  public RunningCore(Path dataDir) {
    this.dataDir = dataDir;
  }

  /**
   * Runs work with a channel that carries the operator's credential. Empty where no server answers,
   * in which case the work has not begun.
   */
  public <T> Optional<T> with(Function<Channel, T> work) throws IOException {
    Optional<ServerFile> server = ServerFile.read(dataDir);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    ManagedChannel managed =
        NettyChannelBuilder.forAddress(server.get().grpcHost(), server.get().grpcPort())
            .usePlaintext()
            .build();
    try {
      Channel channel = OperatorKey.on(managed, dataDir);
      return answers(channel) ? Optional.of(work.apply(channel)) : Optional.empty();
    } finally {
      managed.shutdownNow();
    }
  }

  private static boolean answers(Channel channel) {
    try {
      var unused =
          AuthServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
              .getCaller(GetCallerRequest.getDefaultInstance());
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNAVAILABLE) {
        return false;
      }
      throw e;
    }
  }
}
