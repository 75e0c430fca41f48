package dev.bridle.storage.kit;

import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Stores in memory that belong to folders: opened again, each goes on with what the last one of its
 * folder held. It is forgotten once the folder is gone.
 */
final class MemoryFolders {
  private static final Map<Path, InMemoryStore> LAST = new HashMap<>();

  private MemoryFolders() {}

  static synchronized InMemoryStore open(Path folder) {
    LAST.keySet().removeIf(Files::notExists);
    Path key = folder.toAbsolutePath().normalize();
    InMemoryStore before = LAST.get(key);
    InMemoryStore store = InMemoryStore.open(before == null ? StoreImage.EMPTY : before.image());
    try {
      Files.createDirectories(key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    LAST.put(key, store);
    return store;
  }
}
