package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options about where the data is kept. */
final class StorageOptions {
  /** The engines that {@code --storage} may name. */
  enum Engine {
    embedded,
    fdb,
    memory
  }

  @Option(
      names = "--storage",
      paramLabel = "ENGINE",
      description =
          "embedded: in the data directory; fdb: on a FoundationDB cluster, which several servers"
              + " may share; memory: nowhere, gone when the server ends (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "embedded")
  private Engine engine = Engine.embedded;

  @Option(
      names = "--cluster-file",
      paramLabel = "FILE",
      description = "The FoundationDB cluster file, with --storage fdb.")
  private Optional<Path> clusterFile = Optional.empty();

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description =
          "What all keys on the cluster begin with; installations that share it have one each"
              + " (default: "
              + EngineChoice.KEY_PREFIX
              + ").")
  private Optional<String> keyPrefix = Optional.empty();

  @Option(
      names = "--accept-loss",
      description = "Start on an embedded store of which acknowledged parts are missing.")
  private boolean acceptLoss;

  @Option(
      names = "--min-free-bytes",
      paramLabel = "N",
      description =
          "Refuse writes to an embedded store while its disk has less room than this; 0: never"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "268435456")
  private long minFreeBytes;

  @Option(
      names = "--master-key-file",
      paramLabel = "FILE",
      description =
          "The key that secrets are sealed with before they are stored (default: master.key in the"
              + " data directory, made at the first start). Needed with --storage fdb; 'bridle"
              + " master-key create' makes one.")
  private Optional<Path> masterKeyFile = Optional.empty();

  @Option(
      names = "--workspace-root",
      paramLabel = "DIR",
      description =
          "A folder of this machine, which workspaces of all tenants may have folders in; on a"
              + " cluster the same for all servers (default: none; files of workspaces lie with the"
              + " data).")
  private Optional<Path> workspaceRoot = Optional.empty();

  Optional<Path> workspaceRoot() {
    return workspaceRoot;
  }

  Optional<Path> masterKeyFile() {
    if (shared() && masterKeyFile.isEmpty()) {
      throw usage(
          "--storage fdb needs --master-key-file FILE, the same for all servers of the cluster;"
              + " 'bridle master-key create FILE' makes one.");
    }
    return masterKeyFile;
  }

  EngineChoice choice() {
    return switch (engine) {
      case fdb -> cluster();
      case embedded -> embedded();
      case memory -> memory();
    };
  }

  boolean shared() {
    return engine == Engine.fdb;
  }

  private EngineChoice cluster() {
    if (acceptLoss) {
      throw usage("--accept-loss is for embedded stores; leave it out with --storage fdb.");
    }
    return EngineChoice.cluster(
        clusterFile.orElseThrow(
            () ->
                usage(
                    "--storage fdb needs --cluster-file FILE, such as"
                        + " /etc/foundationdb/fdb.cluster.")),
        prefix());
  }

  private String prefix() {
    String prefix = keyPrefix.orElse(EngineChoice.KEY_PREFIX);
    if (prefix.isEmpty()) {
      throw usage("--key-prefix needs a text: without one, all keys of the cluster would be ours.");
    }
    return prefix;
  }

  private EngineChoice memory() {
    refuseClusterOptions();
    if (acceptLoss) {
      throw usage("--accept-loss is for embedded stores; leave it out with --storage memory.");
    }
    return new EngineChoice.Memory();
  }

  private EngineChoice embedded() {
    refuseClusterOptions();
    return new EngineChoice.Embedded(
        EmbeddedOptions.DEFAULT.withAcceptLoss(acceptLoss).withMinFreeBytes(minFreeBytes));
  }

  private void refuseClusterOptions() {
    if (clusterFile.isPresent() || keyPrefix.isPresent()) {
      throw usage("--cluster-file and --key-prefix are for a cluster; add --storage fdb.");
    }
  }

  private static CommandFailed usage(String sentence) {
    return new CommandFailed(ExitCodes.USAGE, sentence);
  }
}
