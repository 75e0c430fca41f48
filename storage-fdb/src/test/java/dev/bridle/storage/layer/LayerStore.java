package dev.bridle.storage.layer;

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
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A store for the tests of layers: an embedded one in a folder of its own, or a random prefix of
 * the cluster that {@code -Dbridle.fdb.cluster-file} names. The kit's {@code SuiteStore} does the
 * same for all other modules; it depends on this one.
 */
public final class LayerStore implements AutoCloseable {
  private final Path directory;
  private final KeyValueStore store;

  /** Opens an empty store. */
  public LayerStore() {
    try {
      directory = Files.createTempDirectory("bridle-layer");
      Optional<String> cluster =
          Optional.ofNullable(System.getProperty("bridle.fdb.cluster-file"))
              .filter(file -> !file.isEmpty());
      store =
          cluster.isPresent()
              ? FdbStore.open(FdbOptions.of(Path.of(cluster.get())).withPrefix(prefix()))
              : EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] prefix() {
    return ("bridle-test/layer-" + UUID.randomUUID() + "/").getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the store. */
  public KeyValueStore store() {
    return store;
  }

  @Override
  public void close() {
    store.transact(
        tr -> {
          tr.clear(new KeyRange(new byte[0], new byte[] {(byte) 0xFF}));
          return true;
        });
    store.close();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(LayerStore::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
