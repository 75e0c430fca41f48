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
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls the server that runs on a data directory. Sets no deadline, since calls may take long. */
public final class RunningCore {
  /** The prefix of gRPC's descriptions of a missing response. */
  private static final Set<Status.Code> BROKEN =
      EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED);

  private final Path dataDir;

  /** Creates access to the server of a directory. */
  public RunningCore(Path dataDir) {
    this.dataDir = dataDir;
  }

  /**
   * Runs an action with a channel that sends the operator's credential. Returns empty without
   * running the action if no server responds.
   */
  public <T> Optional<T> with(Function<Channel, T> work) throws IOException {
    Optional<ServerFile> server = ServerFile.read(dataDir);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    ManagedChannel managed = server.get().channel(dataDir);
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

  /** Errors of the core have trailers; errors of a lost connection have none. */
  private static boolean isBroken(StatusRuntimeException failure) {
    return BROKEN.contains(failure.getStatus().getCode())
        && (failure.getTrailers() == null || failure.getTrailers().keys().isEmpty());
  }

  private CommandFailed broken(StatusRuntimeException cause) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The connection to the server of "
            + dataDir
            + " was lost before the response arrived. If the command changes data, its outcome is"
            + " unknown: check with 'list' before you run it again.",
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
