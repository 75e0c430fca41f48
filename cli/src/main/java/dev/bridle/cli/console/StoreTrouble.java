package dev.bridle.cli.console;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.seal.MasterKeyException;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.migration.UnsupportedFormatException;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reports failures of a data directory in one line, with what to do about them. */
public final class StoreTrouble {
  /** How the C library describes that a process has no file descriptor left. */
  private static final String EMFILE = "Too many open files";

  private static final String MORE_DESCRIPTORS =
      "The process has no file descriptors left: raise their limit, with 'ulimit -n' or LimitNOFILE"
          + " of systemd, or lower --max-connections and --max-grpc-connections";

  private StoreTrouble() {}

  /**
   * An action on a data directory.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Work<T> {
    /** Runs the action. */
    T run() throws IOException;
  }

  /** Runs an action on a data directory and reports each storage failure as one line. */
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
      throw refused(dataDir, e, "free some space.");
    } catch (StatusRuntimeException e) {
      throw new CommandFailed(ExitCodes.FAILED, said(e), e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be used: " + e, e);
    }
  }

  /** Returns what a server has said. What is not a sentence is about a member of the request. */
  private static String said(StatusRuntimeException refused) {
    String said =
        Optional.ofNullable(refused.getStatus().getDescription()).orElse(refused.getMessage());
    Metadata trailers = Optional.ofNullable(refused.getTrailers()).orElseGet(Metadata::new);
    boolean isSentence = said.isEmpty() || !Character.isLowerCase(said.charAt(0));
    return isSentence
        ? said
        : Optional.ofNullable(trailers.get(ErrorMapper.DETAIL))
            .flatMap(StoreTrouble::param)
            .map(param -> "`" + param + "` " + said)
            .orElse(said);
  }

  private static Optional<String> param(byte[] detail) {
    try {
      return Optional.of(ErrorDetail.parseFrom(detail).getParam()).filter(is -> !is.isEmpty());
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** Returns the failure of a server that could not start. */
  public static CommandFailed atStart(Path dataDir, StoreException failure) {
    return refused(dataDir, failure, "free some space, or lower --min-free-bytes.");
  }

  private static CommandFailed refused(Path dataDir, StoreException failure, String remedy) {
    String what =
        failure.code() == Code.DISK_LOW
            ? "Too little free space is left on the disk of the data directory "
                + dataDir
                + "; "
                + remedy
            : "The data directory "
                + dataDir
                + " can't be used ("
                + reason(failure)
                + ")."
                + (lacksDescriptors(failure) ? " " + MORE_DESCRIPTORS + "." : "");
    return new CommandFailed(ExitCodes.FAILED, what, failure);
  }

  /** Returns the failure of a running server whose store has failed. */
  public static CommandFailed whileRunning(Path dataDir, StoreException failure) {
    String remedy =
        lacksDescriptors(failure) ? MORE_DESCRIPTORS : "Free some disk space or repair the disk";
    return new CommandFailed(
        ExitCodes.FAILED,
        "The data directory "
            + dataDir
            + " failed ("
            + reason(failure)
            + "), and the server has stopped. No acknowledged data is lost. "
            + remedy
            + ", then start again.",
        failure);
  }

  /** Whether the process had too many open files and connections to open one more (EMFILE). */
  private static boolean lacksDescriptors(StoreException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(EMFILE)) {
        return true;
      }
    }
    return false;
  }

  private static String reason(StoreException failure) {
    Throwable cause = failure.getCause();
    return cause == null || cause.getMessage() == null ? failure.getMessage() : cause.getMessage();
  }
}
