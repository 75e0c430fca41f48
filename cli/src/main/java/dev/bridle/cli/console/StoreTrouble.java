package dev.bridle.cli.console;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.nio.file.Path;

/** Says in one line what is wrong with a data directory, and what to do about it. */
public final class StoreTrouble {
  private StoreTrouble() {}

  /** Returns the failure of a command that could not begin. */
  public static CommandFailed atStart(Path dataDir, StoreException failure) {
    String what =
        failure.code() == Code.DISK_LOW
            ? "Too little room is left on the disk of the data directory "
                + dataDir
                + "; make room, or lower --min-free-bytes."
            : "The data directory " + dataDir + " can't be used (" + reason(failure) + ").";
    return new CommandFailed(ExitCodes.FAILED, what, failure);
  }

  /** Returns the failure of a server that can't go on. */
  public static CommandFailed whileRunning(Path dataDir, StoreException failure) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The data directory "
            + dataDir
            + " failed ("
            + reason(failure)
            + "), and the server has stopped; nothing that was acknowledged is lost by that. Make"
            + " room on the disk or repair it, then start again.",
        failure);
  }

  private static String reason(StoreException failure) {
    Throwable cause = failure.getCause();
    return cause == null || cause.getMessage() == null ? failure.getMessage() : cause.getMessage();
  }
}
