package dev.bridle.cli.console;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.seal.MasterKeyException;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.migration.UnsupportedFormatException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Says in one line what is wrong with a data directory, and what to do about it. */
public final class StoreTrouble {
  private StoreTrouble() {}

  /**
   * Work with a data directory.
   *
   * @param <T> what it gives
   */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /** Does work with a data directory. Whatever storage refuses or fails at is told in one line. */
  public static <T> T inOneLine(Path dataDir, Work<T> work) {
    try {
      return work.run();
    } catch (OpenRefusedException
        | FdbUnavailableException
        | UnsupportedFormatException
        | BackupFailedException
        | MasterKeyException
        | ProtocolException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (StoreException e) {
      throw refused(dataDir, e, "make room.");
    } catch (StatusRuntimeException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          Optional.ofNullable(e.getStatus().getDescription()).orElse(e.getMessage()),
          e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be used: " + e, e);
    }
  }

  /** Returns the failure of a server that could not begin. */
  public static CommandFailed atStart(Path dataDir, StoreException failure) {
    return refused(dataDir, failure, "make room, or lower --min-free-bytes.");
  }

  private static CommandFailed refused(Path dataDir, StoreException failure, String remedy) {
    String what =
        failure.code() == Code.DISK_LOW
            ? "Too little room is left on the disk of the data directory " + dataDir + "; " + remedy
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
