package dev.bridle.core.operations.portability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Changes what a server has stored that is not running. */
final class StoppedServer {
  private static final KeyRange ALL = new KeyRange(new byte[] {0}, new byte[] {(byte) 0xff});
  private static final int MOST = 10_000;

  private StoppedServer() {}

  /** Has the installation of a folder call itself otherwise. */
  static void rename(Path folder, String from, String to) {
    try (KeyValueStore store = SuiteStore.open(folder)) {
      store.transact(
          tr -> {
            tr.getRange(ALL, MOST).stream()
                .filter(entry -> Arrays.equals(entry.value(), from.getBytes(UTF_8)))
                .forEach(entry -> tr.set(entry.key(), to.getBytes(UTF_8)));
            return true;
          });
    }
  }

  /** Returns all that is stored in a folder. */
  static List<KeyValue> rows(Path folder) {
    try (KeyValueStore store = SuiteStore.open(folder)) {
      return store.read(tr -> tr.getRange(ALL, MOST));
    }
  }

  /** Sets a folder back to what was stored before. */
  static void setBack(Path folder, List<KeyValue> rows) {
    try (KeyValueStore store = SuiteStore.open(folder)) {
      store.transact(
          tr -> {
            tr.clear(ALL);
            rows.forEach(row -> tr.set(row.key(), row.value()));
            return true;
          });
    }
  }
}
