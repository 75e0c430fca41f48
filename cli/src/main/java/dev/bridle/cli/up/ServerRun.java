package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.kernel.seal.MasterKeyException;
import dev.bridle.core.work.workspace.WorkspaceRootException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.migration.UnsupportedFormatException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Runs a server for a command: starts it, announces it, and waits for its end. */
final class ServerRun {
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final Path dataDir;
  private final Optional<ApiKeyFile> keyFile;
  private final Optional<ApiKeyFile> given;

  /**
   * What a server listens on.
   *
   * @param described the addresses
   * @param options the names of the options that choose others
   */
  record Ports(String described, String options) {}

  /**
   * Creates a run on a directory.
   *
   * @param json whether it is announced as JSON
   * @param keyFile the file of the API key; if it exists, its key must be one of the data
   */
  ServerRun(
      PrintWriter out, PrintWriter err, boolean json, Path dataDir, Optional<ApiKeyFile> keyFile) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.dataDir = dataDir;
    this.keyFile = keyFile;
    this.given = keyFile.filter(ApiKeyFile::exists);
  }

  /** Prints a message for the operator. */
  void notice(String message) {
    err.println(message);
    err.flush();
  }

  /** Returns whether a first start makes an API key: not where one is given. */
  boolean makesFirstKey() {
    return given.isEmpty();
  }

  /** Starts the server, or fails with what the operator has to do. */
  LocalServer start(EngineChoice storage, Supplier<LocalServerOptions> options, Ports ports) {
    if (given.isPresent() && !storage.mayHoldData(dataDir)) {
      throw given.get().unknown();
    }
    try {
      return LocalServer.start(
          options.get(), core -> given.ifPresent(file -> file.requireKnown(core)));
    } catch (MasterKeyException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, e.getMessage() + " Set its file with --master-key-file.", e);
    } catch (OpenRefusedException
        | FdbUnavailableException
        | UnsupportedFormatException
        | WorkspaceRootException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (StoreException e) {
      throw StoreTrouble.atStart(dataDir, e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, "An option is invalid: " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be used: " + e, e);
    } catch (RuntimeException e) {
      throw portTaken(e, ports);
    }
  }

  /** Announces a server that has started, and writes its API key. */
  void announce(LocalServer server, Announcement.Kind kind) throws IOException {
    new Announcement(out, json, kind)
        .ready(server, dataDir.toAbsolutePath().normalize(), written(server));
  }

  /** Returns the failure of a server whose files can't be written, and stops it. */
  CommandFailed unwritten(LocalServer server, IOException e) {
    server.close();
    return new CommandFailed(ExitCodes.FAILED, "A file of the server can't be written: " + e, e);
  }

  /**
   * Waits for a server's end, stops it, and returns the exit code.
   *
   * @param end completes with the failure of the store, or without one where nothing needs it
   */
  int await(Stop stop, CompletableFuture<Optional<StoreException>> end) throws ExecutionException {
    Optional<StoreException> failure;
    try {
      failure = end.get();
    } catch (InterruptedException e) {
      // A program that embeds the server interrupts this thread to stop it.
      return stop.now() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
    boolean stopped = stop.now();
    if (failure.isPresent()) {
      throw StoreTrouble.whileRunning(dataDir, failure.get());
    }
    return stopped ? ExitCodes.DONE : ExitCodes.FAILED;
  }

  private Optional<ApiKeyFile> written(LocalServer server) throws IOException {
    if (keyFile.isPresent() && !keyFile.get().exists()) {
      keyFile.get().write(server, dataDir);
      return keyFile;
    }
    return Optional.empty();
  }

  private static RuntimeException portTaken(RuntimeException failure, Ports ports) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isOfBinding(cause)) {
        return new CommandFailed(
            ExitCodes.FAILED,
            ports.described()
                + " can't be bound ("
                + cause.getMessage()
                + "). Stop the process that uses the port, or choose others with "
                + ports.options()
                + " (0: any free one).",
            failure);
      }
    }
    return failure;
  }

  /** The native transports of HTTP throw no {@code BindException}. */
  private static boolean isOfBinding(Throwable cause) {
    return cause instanceof BindException
        || (cause instanceof IOException && String.valueOf(cause.getMessage()).startsWith("bind("));
  }
}
