package dev.bridle.storage.layer;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** An embedded store in a folder of its own, for the tests of layers. */
final class LayerStore implements AutoCloseable {
  private final Path directory;
  private final KeyValueStore store;

  LayerStore() {
    try {
      directory = Files.createTempDirectory("bridle-layer");
      store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  KeyValueStore store() {
    return store;
  }

  @Override
  public void close() {
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
