package dev.bridle.benchmarks;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The store that a benchmark runs on: a temporary directory, or with {@code --cluster-file PATH} a
 * subspace of its own on that cluster. Both are gone afterwards.
 *
 * @param clusterFile names the cluster
 * @param arguments the other arguments
 */
record Target(Optional<Path> clusterFile, List<String> arguments) {
  private static final String OPTION = "--cluster-file";

  static Target of(String[] args) {
    List<String> rest = new ArrayList<>(List.of(args));
    int at = rest.indexOf(OPTION);
    if (at < 0) {
      return new Target(Optional.empty(), List.copyOf(rest));
    }
    if (at + 1 == rest.size()) {
      throw new IllegalArgumentException(OPTION + " needs the path of a cluster file");
    }
    Path file = Path.of(rest.get(at + 1));
    rest.subList(at, at + 2).clear();
    return new Target(Optional.of(file), List.copyOf(rest));
  }

  boolean embedded() {
    return clusterFile.isEmpty();
  }

  /** Returns an argument as a whole number, or {@code otherwise} where it is not given. */
  int number(int at, int otherwise) {
    return at < arguments.size() ? Integer.parseInt(arguments.get(at)) : otherwise;
  }

  /** What runs on the store. */
  interface Work {
    void on(KeyValueStore store) throws Exception;
  }

  /** Runs work on the store and removes what it stored. */
  void run(Work work) throws Exception {
    if (clusterFile.isPresent()) {
      runOnCluster(clusterFile.get(), work);
    } else {
      Path directory = Files.createTempDirectory("bridle-benchmark-");
      try (KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
        work.on(store);
      } finally {
        delete(directory);
      }
    }
  }

  private static void runOnCluster(Path file, Work work) throws Exception {
    byte[] prefix = ("benchmark/" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
    try (KeyValueStore store = FdbStore.open(FdbOptions.of(file).withPrefix(prefix))) {
      try {
        work.on(store);
      } finally {
        store.transact(
            tr -> {
              tr.clear(new KeyRange(new byte[0], new byte[] {(byte) 0xff}));
              return true;
            });
      }
    }
  }

  /** Deletes a directory and all that is in it. */
  static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return embedded() ? "the embedded engine" : "FoundationDB by " + clusterFile.get();
  }
}
