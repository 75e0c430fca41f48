package dev.bridle.cli.up;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.storage.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

  @Mixin private ListenOptions listen;
  @Mixin private StorageOptions storage;
  @Mixin private WorkOptions work;
  @Mixin private LimitOptions limits;
  @Mixin private TokenOptions tokens;
  @Mixin private HarpRelayOptions relays;
  @Mixin private RuntimeOptions runtimes;
  @Mixin private ProcessOptions process;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "The directory of the data and of the server's own files (default: ${DEFAULT-VALUE}; or"
              + " BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(
      names = "--end-unused",
      paramLabel = "TIME",
      description =
          "End once nothing has used the server for so long and no permission request waits;"
              + " requires --no-demo-agent (default: never).")
  private Optional<Duration> endUnused = Optional.empty();

  /** Creates the command; called by picocli. */
  public UpCommand() {}

  @Override
  public Integer call() throws ExecutionException {
    ServerRun run = process.prepare(dataDir);
    if (endUnused.isPresent() && work.demoAgent()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "--end-unused requires --no-demo-agent: the demo agent uses the server all the time.");
    }
    runtimes.check();
    LocalServer server = run.start(storage.choice(), () -> bounded(run), listen.ports());
    runtimes.start(
        server,
        dataDir,
        work.workspaceRoot(),
        KeyFiles.of(process.keyFiles(), listen.keyFiles(), storage.keyFiles(), relays.keyFiles()),
        run::notice);
    Stop stop = Stop.onSignal(server);
    try {
      run.announce(server, Announcement.OF_SERVER);
      if (endUnused.isPresent()) {
        ServerFile.markEndingUnused(dataDir);
      }
    } catch (IOException e) {
      throw run.unwritten(server, e);
    }
    IdleMemory memory = IdleMemory.watch();
    try {
      return run.await(stop, end(server));
    } finally {
      memory.close();
    }
  }

  private LocalServerOptions bounded(ServerRun run) {
    return DescriptorLimit.ofProcess().apply(options(run), run::notice);
  }

  private LocalServerOptions options(ServerRun run) {
    return new LocalServerOptions(
        dataDir,
        storage.choice(),
        limits
            .on(work.core(listen, storage.shared()))
            .withMakeFirstKey(run.makesFirstKey())
            .withAccess(tokens.access())
            .withHarpRelays(relays.targets())
            .withWorkspaceRoot(work.workspaceRoot()),
        limits.on(listen.gateway()),
        listen.harp(run::notice).map(harp -> harp.withListener(limits::on)),
        storage.masterKeyFile(),
        work.demoAgent(),
        listen.tls().open(run::notice),
        UnaryOperator.identity());
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
}
