package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for where data is stored. */
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
          "embedded: in the data directory; fdb: in a FoundationDB cluster, which several servers"
              + " may share; memory: not persistent, lost when the server stops (default:"
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
          "The prefix of all keys in the cluster; each installation that shares a cluster needs"
              + " its own"
              + " (default: "
              + EngineChoice.KEY_PREFIX
              + ").")
  private Optional<String> keyPrefix = Optional.empty();

  @Option(
      names = "--accept-loss",
      description = "Start although an embedded store has lost acknowledged data.")
  private boolean acceptLoss;

  /** What merging files of the engine may take before it frees anything. */
  private static final long LEAST_FREE_BYTES = 64 << 20;

  @Option(
      names = "--min-free-bytes",
      paramLabel = "N",
      description =
          "Reject writes to an embedded store while its disk has less free space than this, at"
              + " least 67108864; 0: never"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "268435456")
  private long minFreeBytes;

  @Option(
      names = "--master-key-file",
      paramLabel = "FILE",
      description =
          "The file of the master key that encrypts stored secrets (default: master.key in the"
              + " data directory, created at the first start). Required with --storage fdb; 'bridle"
              + " master-key create' creates one.")
  private Optional<Path> masterKeyFile = Optional.empty();

  /** Returns the file of the master key, if it has one of its own. */
  List<KeyFiles.KeyFile> keyFiles() {
    return KeyFiles.of("--master-key-file", masterKeyFile);
  }

  Optional<Path> masterKeyFile() {
    if (shared() && masterKeyFile.isEmpty()) {
      throw usage(
          "--storage fdb requires --master-key-file FILE, the same for all servers of the cluster;"
              + " 'bridle master-key create FILE' creates one.");
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
      throw usage("--accept-loss applies to embedded stores only. Remove it with --storage fdb.");
    }
    return EngineChoice.cluster(
        clusterFile.orElseThrow(
            () ->
                usage(
                    "--storage fdb requires --cluster-file FILE, such as"
                        + " /etc/foundationdb/fdb.cluster.")),
        prefix());
  }

  private String prefix() {
    String prefix = keyPrefix.orElse(EngineChoice.KEY_PREFIX);
    if (prefix.isEmpty()) {
      throw usage(
          "--key-prefix must not be empty: an empty prefix would claim all keys of the cluster.");
    }
    return prefix;
  }

  private EngineChoice memory() {
    rejectClusterOptions();
    if (acceptLoss) {
      throw usage(
          "--accept-loss applies to embedded stores only. Remove it with --storage memory.");
    }
    return new EngineChoice.Memory();
  }

  private EngineChoice embedded() {
    rejectClusterOptions();
    if (minFreeBytes < 0 || (minFreeBytes > 0 && minFreeBytes < LEAST_FREE_BYTES)) {
      throw usage(
          "--min-free-bytes "
              + minFreeBytes
              + " is less than the engine needs to merge its files. Give "
              + LEAST_FREE_BYTES
              + " or more, or 0 for a disk that somebody else watches.");
    }
    return new EngineChoice.Embedded(
        EmbeddedOptions.DEFAULT.withAcceptLoss(acceptLoss).withMinFreeBytes(minFreeBytes));
  }

  private void rejectClusterOptions() {
    if (clusterFile.isPresent() || keyPrefix.isPresent()) {
      throw usage("--cluster-file and --key-prefix require --storage fdb.");
    }
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCodes.USAGE, message);
  }
}
