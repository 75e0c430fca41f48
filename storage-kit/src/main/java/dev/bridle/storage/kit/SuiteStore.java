package dev.bridle.storage.kit;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.RandomPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Assumptions;
import org.slf4j.LoggerFactory;

/**
 * Which engine the suites run on. Every test that does not test one engine opens its stores here.
 *
 * <p>With the system property {@value #CLUSTER_FILE} a store is a subspace of that cluster, one for
 * each directory, under a random prefix of this process, which is removed when the process ends.
 * Nothing outside of it is read or written. Without that property a store lies in the directory,
 * or, with {@value #ENGINE} set to {@code memory}, in memory. With {@value RandomPlan#SEED} any of
 * them fails at random, from that seed.
 */
public final class SuiteStore {
  /** The system property that selects a cluster. */
  public static final String CLUSTER_FILE = "bridle.fdb.cluster-file";

  /** The system property that selects an engine of this process: {@code memory} or {@code disk}. */
  public static final String ENGINE = "bridle.test.engine";

  /** What the keys of all test runs begin with. */
  public static final String PREFIX = "bridle-test/";

  private static final String RUN =
      PREFIX + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + "/";

  private static boolean removedAtEnd;

  private SuiteStore() {}

  /** Returns the cluster file that the property names. */
  public static Optional<Path> clusterFile() {
    return Optional.ofNullable(System.getProperty(CLUSTER_FILE))
        .filter(file -> !file.isEmpty())
        .map(Path::of);
  }

  /**
   * Opens the store that belongs to a directory; opened again, it has the same data.
   *
   * @throws RuntimeException where the property is given and the cluster does not answer
   */
  public static KeyValueStore open(Path directory) {
    return FaultyStore.bySeed(openSteady(directory));
  }

  /** Opens the store that belongs to a directory, for tests that bring faults of their own. */
  public static KeyValueStore openSteady(Path directory) {
    if (clusterFile().isPresent()) {
      return FdbStore.open(cluster(directory));
    }
    return inMemory()
        ? MemoryFolders.open(directory)
        : EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
  }

  /** Returns whether stores lie in memory. */
  public static boolean inMemory() {
    return clusterFile().isEmpty() && engine().equals("memory");
  }

  /** Returns whether stores lie in directories: backups and file damage need one. */
  public static boolean onDisk() {
    return clusterFile().isEmpty() && engine().equals("disk");
  }

  private static String engine() {
    String engine = System.getProperty(ENGINE, "disk");
    if (!engine.equals("memory") && !engine.equals("disk")) {
      throw new IllegalArgumentException(
          "-D" + ENGINE + "=" + engine + " names no engine; expected memory or disk.");
    }
    return engine;
  }

  /**
   * Returns how to open a subspace of the cluster, and skips the test, saying why, where the
   * property names none.
   */
  public static FdbOptions needCluster(String name) {
    if (clusterFile().isEmpty()) {
      String reason = "skipped: -D" + CLUSTER_FILE + "=PATH names no FoundationDB cluster";
      LoggerFactory.getLogger(SuiteStore.class).warn(reason);
      Assumptions.abort(reason);
    }
    return cluster(Path.of(name));
  }

  /** Returns how to open the subspace of a directory, for tests of other processes. */
  public static FdbOptions cluster(Path directory) {
    FdbOptions options = FdbOptions.of(clusterFile().orElseThrow());
    removeAtEnd(options);
    return options.withPrefix(bytes(RUN + directory.toAbsolutePath().normalize() + "/"));
  }

  /** Keeps one store open until the run's keys are gone, so that the client still runs by then. */
  private static synchronized void removeAtEnd(FdbOptions options) {
    if (removedAtEnd) {
      return;
    }
    removedAtEnd = true;
    FdbStore whole = FdbStore.open(options.withPrefix(bytes(RUN)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(whole), "remove-test-keys"));
  }

  private static void remove(FdbStore whole) {
    try (whole) {
      whole.transact(
          tr -> {
            tr.clear(new KeyRange(new byte[0], new byte[] {(byte) 0xFF}));
            return true;
          });
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
