package dev.bridle.cli.up;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.cli.process.Commands;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts servers on the engine that the suites run on. */
public final class SuiteEngine {
  private SuiteEngine() {}

  /** Returns the same options on the suites' engine. */
  public static LocalServerOptions of(LocalServerOptions options) {
    return SuiteStore.clusterFile().isPresent()
        ? new LocalServerOptions(
            options.dataDir(),
            new EngineChoice.Cluster(SuiteStore.cluster(options.dataDir()), "test"),
            options.core(),
            options.gateway(),
            options.harp(),
            Optional.of(masterKey(options.dataDir())),
            options.demoAgent(),
            options.certificate(),
            options.around())
        : options;
  }

  /** Returns what {@code bridle up} is told for a data directory. */
  public static List<String> arguments(Path dataDir) {
    List<String> arguments = new ArrayList<>(List.of("--data-dir", dataDir.toString()));
    arguments.addAll(List.of(engine(dataDir)));
    return List.copyOf(arguments);
  }

  /** Returns what {@code bridle up} is told beside a data directory: nothing, or the cluster. */
  public static String[] engine(Path dataDir) {
    if (SuiteStore.clusterFile().isEmpty()) {
      return new String[0];
    }
    FdbOptions cluster = SuiteStore.cluster(dataDir);
    return new String[] {
      "--storage",
      "fdb",
      "--cluster-file",
      cluster.clusterFile().toString(),
      "--key-prefix",
      new String(cluster.prefix(), UTF_8),
      "--master-key-file",
      masterKey(dataDir).toString()
    };
  }

  /** A cluster's servers are given their master key. */
  private static Path masterKey(Path dataDir) {
    Path file = dataDir.toAbsolutePath().resolveSibling(dataDir.getFileName() + ".master-key");
    if (!Files.exists(file)) {
      var unused = Commands.run(0, "master-key", "create", file.toString());
    }
    return file;
  }
}
