package dev.bridle.cli.admin;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.Timeouts;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The server that runs on a data directory, for work that may take long: what it is asked has no
 * deadline of its own.
 */
public final class RunningCore {
  /** How gRPC calls an answer that did not come. */
  private static final Set<Status.Code> BROKEN =
      EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED);

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
      return answers(channel) ? Optional.of(done(work, channel)) : Optional.empty();
    } finally {
      managed.shutdownNow();
    }
  }

  private <T> T done(Function<Channel, T> work, Channel channel) {
    try {
      return work.apply(channel);
    } catch (StatusRuntimeException e) {
      throw isBroken(e) ? broken(e) : e;
    }
  }

  /** The core's own refusals carry trailers; a connection that is gone can't. */
  private static boolean isBroken(StatusRuntimeException failure) {
    return BROKEN.contains(failure.getStatus().getCode())
        && (failure.getTrailers() == null || failure.getTrailers().keys().isEmpty());
  }

  private CommandFailed broken(StatusRuntimeException cause) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The connection to the server of "
            + dataDir
            + " broke before the answer came. Where the command changes something, the outcome is"
            + " unknown: see with 'list' what is there before you run it again.",
        cause);
  }

  private static boolean answers(Channel channel) {
    try {
      var unused =
          AuthServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(Timeouts.PROBE.toSeconds(), TimeUnit.SECONDS)
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
