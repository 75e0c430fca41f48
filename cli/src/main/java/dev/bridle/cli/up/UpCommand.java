package dev.bridle.cli.up;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.LogSetup;
import dev.bridle.cli.console.MemoryExhaustion;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.cli.tls.ServerCertificate;
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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the whole Bridle server in this process until it is stopped. */
@Command(
    name = "up",
    description = {
      "Run the Bridle server in one process, with its data in a directory.",
      "SIGTERM and SIGINT stop it. Acknowledged data survives a stop, a crash and a kill."
    },
    footer = {
      "%nExamples:",
      "  bridle up",
      "  bridle up --storage memory --data-dir /tmp/bridle",
      "  bridle up --storage fdb --cluster-file /etc/foundationdb/fdb.cluster --master-key-file"
          + " /etc/bridle/master.key",
      "  bridle up --data-dir /var/lib/bridle --http-port 0 --api-key-file key.txt --json",
      "  bridle up --workspace-root /srv/workspaces --runtimes runtimes.json"
    })
public final class UpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private ListenOptions listen;
  @Mixin private StorageOptions storage;
  @Mixin private WorkOptions work;
  @Mixin private LimitOptions limits;
  @Mixin private TokenOptions tokens;
  @Mixin private RuntimeOptions runtimes;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "The directory of the data and of the server's own files (default: ${DEFAULT-VALUE}; or"
              + " BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description =
          "The file of an API key with all scopes. If the file is missing, a new key is created and"
              + " written, readable by its owner only; if it exists, its key must be one of the"
              + " data's.")
  private Optional<Path> apiKeyFile = Optional.empty();

  @Option(
      names = "--end-unused",
      paramLabel = "TIME",
      description =
          "End once nothing has used the server for so long and no permission request waits;"
              + " requires --no-demo-agent (default: never).")
  private Optional<Duration> endUnused = Optional.empty();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "The log level on stderr: error, warn, info, debug or trace (default: ${DEFAULT-VALUE}).",
      defaultValue = "warn")
  private String logLevel = "warn";

  @Option(names = "--json", description = "Print one JSON object when the server is ready.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public UpCommand() {}

  @Override
  public Integer call() throws ExecutionException {
    System.setProperty(LogSetup.LEVEL_PROPERTY, logLevel);
    MemoryExhaustion.watchThreads();
    if (endUnused.isPresent() && work.demoAgent()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "--end-unused requires --no-demo-agent: the demo agent uses the server all the time.");
    }
    runtimes.check();
    Optional<ApiKeyFile> file = apiKeyFile.map(ApiKeyFile::new);
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> notices =
        notice -> {
          err.println(notice);
          err.flush();
        };
    LocalServer server = start(file.filter(ApiKeyFile::exists), notices);
    runtimes.start(server, dataDir, storage.workspaceRoot(), notices);
    Stop stop = Stop.onSignal(server);
    try {
      new Announcement(spec.commandLine().getOut(), json)
          .ready(server, dataDir.toAbsolutePath().normalize(), written(file, server));
      if (endUnused.isPresent()) {
        ServerFile.markEndingUnused(dataDir);
      }
    } catch (IOException e) {
      server.close();
      throw new CommandFailed(ExitCodes.FAILED, "A file of the server can't be written: " + e, e);
    }
    Optional<StoreException> failure;
    try {
      failure = end(server).get();
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

  /** Completes when the store has failed, with that, or when the server is not used any more. */
  private CompletableFuture<Optional<StoreException>> end(LocalServer server) {
    CompletableFuture<Optional<StoreException>> failed =
        server.storageFailure().thenApply(Optional::of);
    return endUnused.isPresent()
        ? failed.applyToEither(
            UnusedEnd.of(server, endUnused.get())
                .thenApply(done -> Optional.<StoreException>empty()),
            end -> end)
        : failed;
  }

  private Optional<ApiKeyFile> written(Optional<ApiKeyFile> file, LocalServer server)
      throws IOException {
    if (file.isPresent() && !file.get().exists()) {
      file.get().write(server, dataDir);
      return file;
    }
    return Optional.empty();
  }

  /**
   * Starts the server.
   *
   * @param given the key file, if it exists: its key must be one of the data
   * @param notices receives messages for the operator
   */
  private LocalServer start(Optional<ApiKeyFile> given, Consumer<String> notices) {
    if (given.isPresent() && !storage.choice().mayHoldData(dataDir)) {
      throw given.get().unknown();
    }
    Optional<ServerCertificate> certificate = listen.certificate(notices);
    try {
      return LocalServer.start(
          new LocalServerOptions(
              dataDir,
              storage.choice(),
              limits
                  .on(work.core(listen, storage.shared()))
                  .withMakeFirstKey(given.isEmpty())
                  .withAccess(tokens.access())
                  .withWorkspaceRoot(storage.workspaceRoot()),
              limits.on(listen.gateway()),
              listen.harp(),
              storage.masterKeyFile(),
              work.demoAgent(),
              certificate,
              UnaryOperator.identity()),
          core -> given.ifPresent(file -> file.requireKnown(core)));
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
      throw portTaken(e);
    }
  }

  private RuntimeException portTaken(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return new CommandFailed(
            ExitCodes.FAILED,
            listen.described()
                + " can't be bound ("
                + cause.getMessage()
                + "). Stop the process that uses the port, or choose others with --http-port,"
                + " --grpc-port and --harp-port (0:"
                + " any free one).",
            failure);
      }
    }
    return failure;
  }
}
