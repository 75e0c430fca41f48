package dev.bridle.cli.up;

import dev.bridle.core.server.CoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a HARP relay alone until it is stopped: no agents, and no tasks over REST. */
@Command(
    name = "harp-gateway",
    description = {
      "Run a HARP relay alone, with its data in a directory: no agents, and no tasks over REST.",
      "It takes sealed artifacts of enforcers to approvers, and decisions back. Administration is"
          + " served to this machine only.",
      "SIGTERM and SIGINT stop it. Acknowledged data survives a stop, a crash and a kill."
    },
    footer = {
      "%nExamples:",
      "  bridle harp-gateway",
      "  bridle harp-gateway --data-dir /var/lib/bridle-relay --host 0.0.0.0 --tls-cert relay.pem"
          + " --tls-key relay.key",
      "  bridle harp parties create phone --url http://127.0.0.1:8086",
      "  bridle apikey create --data-dir relay --actor ci --scope harp:enforce"
    })
public final class HarpGatewayCommand implements Callable<Integer> {

  @Mixin private RelayListenOptions listen;
  @Mixin private HarpRateOptions rates;
  @Mixin private ConnectionOptions connections;
  @Mixin private StorageOptions storage;
  @Mixin private TokenOptions tokens;
  @Mixin private ProcessOptions process;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "The directory of the data and of the relay's own files (default: ${DEFAULT-VALUE}).",
      defaultValue = "relay")
  private Path dataDir = Path.of("relay");

  /** Creates the command; called by picocli. */
  public HarpGatewayCommand() {}

  @Override
  public Integer call() throws ExecutionException {
    ServerRun run = process.prepare(dataDir);
    LocalServer server = run.start(storage.choice(), () -> bounded(run), listen.ports());
    Stop stop = Stop.onSignal(server);
    try {
      run.announce(server, Announcement.OF_RELAY);
    } catch (IOException e) {
      throw run.unwritten(server, e);
    }
    return run.await(stop, server.storageFailure().thenApply(Optional::of));
  }

  private LocalServerOptions bounded(ServerRun run) {
    return DescriptorLimit.ofProcess().apply(options(run), run::notice);
  }

  private LocalServerOptions options(ServerRun run) {
    return new LocalServerOptions(
        dataDir,
        storage.choice(),
        rates.on(
            connections.on(
                CoreOptions.DEFAULT
                    .withListener(listen.adminHost(), listen.grpcPort())
                    .withMakeFirstKey(run.makesFirstKey())
                    .withAccess(tokens.access()))),
        listen.admin().withListener(connections::on),
        Optional.of(listen.harp(run::notice).withListener(connections::on)),
        storage.masterKeyFile(),
        false,
        Optional.empty(),
        UnaryOperator.identity());
  }
}
