package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.LogSetup;
import dev.bridle.cli.console.MemoryExhaustion;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.core.kernel.seal.MasterKeyException;
import dev.bridle.core.work.workspace.WorkspaceRootException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.migration.UnsupportedFormatException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs all parts of Bridle in this process until it is told to stop. */
@Command(
    name = "up",
    description = {
      "Run Bridle: all parts in one process, with its data in a directory.",
      "SIGTERM and SIGINT stop it; nothing that was acknowledged is lost, however it ends."
    },
    footer = {
      "%nExamples:",
      "  bridle up",
      "  bridle up --storage memory --data-dir /tmp/bridle",
      "  bridle up --storage fdb --cluster-file /etc/foundationdb/fdb.cluster --master-key-file"
          + " /etc/bridle/master.key",
      "  bridle up --data-dir /var/lib/bridle --http-port 0 --api-key-file key.txt --json",
      "  bridle up --workspace-root /srv/workspaces"
    })
public final class UpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ListenOptions listen;
  @Mixin private StorageOptions storage;
  @Mixin private WorkOptions work;
  @Mixin private LimitOptions limits;
  @Mixin private TokenOptions tokens;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where the data and the server's own files lie (default: ${DEFAULT-VALUE}; or"
              + " BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description =
          "Where an API key with all scopes is kept: if the file is missing, a new key is made and"
              + " written, readable by its owner only; if it is there, its key must be one of the"
              + " data's.")
  private Optional<Path> apiKeyFile = Optional.empty();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace, to stderr (default: ${DEFAULT-VALUE}).",
      defaultValue = "warn")
  private String logLevel = "warn";

  @Option(names = "--json", description = "Print one JSON object once all parts listen.")
  private boolean json;

  /** Made by picocli. */
  public UpCommand() {}

  @Override
  public Integer call() throws ExecutionException {
    System.setProperty(LogSetup.LEVEL_PROPERTY, logLevel);
    MemoryExhaustion.watchThreads();
    Optional<ApiKeyFile> file = apiKeyFile.map(ApiKeyFile::new);
    LocalServer server = start(file.filter(ApiKeyFile::present));
    Stop stop = Stop.onSignal(server);
    try {
      new Announcement(spec.commandLine().getOut(), json)
          .ready(server, dataDir.toAbsolutePath().normalize(), written(file, server));
    } catch (IOException e) {
      server.close();
      throw new CommandFailed(ExitCodes.FAILED, "The API key file can't be written: " + e, e);
    }
    StoreException failure;
    try {
      failure = server.storageFailure().get();
    } catch (InterruptedException e) {
      // How a program that runs a server on one of its threads asks it to stop.
      return stop.now() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
    var unused = stop.now();
    throw StoreTrouble.whileRunning(dataDir, failure);
  }

  private Optional<ApiKeyFile> written(Optional<ApiKeyFile> file, LocalServer server)
      throws IOException {
    if (file.isPresent() && !file.get().present()) {
      file.get().write(server, dataDir);
      return file;
    }
    return Optional.empty();
  }

  /**
   * Starts it.
   *
   * @param given the key file, if it is there: its key must be one of the data
   */
  private LocalServer start(Optional<ApiKeyFile> given) {
    if (given.isPresent() && !storage.choice().mayHoldData(dataDir)) {
      throw given.get().unknown();
    }
    try {
      return LocalServer.start(
          new LocalServerOptions(
              dataDir,
              storage.choice(),
              work.core(listen, storage.shared())
                  .withMakeFirstKey(given.isEmpty())
                  .withAccess(tokens.access())
                  .withLimits(limits.ofTenants())
                  .withWorkspaceRoot(storage.workspaceRoot()),
              limits.on(listen.gateway()),
              storage.masterKeyFile(),
              work.demoAgent(),
              UnaryOperator.identity()),
          core -> given.ifPresent(file -> file.needKnown(core)));
    } catch (MasterKeyException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, e.getMessage() + " Name its file with --master-key-file.", e);
    } catch (OpenRefusedException
        | FdbUnavailableException
        | UnsupportedFormatException
        | WorkspaceRootException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (StoreException e) {
      throw StoreTrouble.atStart(dataDir, e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, "An option can't be: " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be used: " + e, e);
    } catch (RuntimeException e) {
      throw portTaken(e);
    }
  }

  private RuntimeException portTaken(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return new CommandFailed(
            ExitCodes.FAILED,
            listen.described()
                + " can't be listened on ("
                + cause.getMessage()
                + "); stop what listens there, or name others with --http-port and --grpc-port (0:"
                + " any free one).",
            failure);
      }
    }
    return failure;
  }
}
