package dev.bridle.cli.audit;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** All that is stored, as bytes in which a secret could be found. */
public final class StoredBytes {
  private static final int AT_ONCE = 1000;

  private StoredBytes() {}

  /** Keys and values, row after row: what is split over several rows stands together. */
  public static byte[] of(KeyValueStore store) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] from = new byte[0];
    List<KeyValue> rows = page(store, from);
    while (!rows.isEmpty()) {
      for (KeyValue row : rows) {
        all.writeBytes(row.key());
        all.writeBytes(row.value());
      }
      byte[] last = rows.get(rows.size() - 1).key();
      from = Arrays.copyOf(last, last.length + 1);
      rows = page(store, from);
    }
    return all.toByteArray();
  }

  private static List<KeyValue> page(KeyValueStore store, byte[] from) {
    return store.read(tr -> tr.getRange(new KeyRange(from, new byte[] {(byte) 0xFF}), AT_ONCE));
  }

  /** The files below a folder. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
