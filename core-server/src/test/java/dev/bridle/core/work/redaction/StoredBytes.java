package dev.bridle.core.work.redaction;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Searches every key and value of a store. */
public final class StoredBytes {
  private static final int ROWS_AT_ONCE = 500;

  private StoredBytes() {}

  /** Returns the rows that hold a text, as hexadecimal keys. */
  public static List<String> with(KeyValueStore store, String text) {
    return rows(store, text).stream()
        .map(row -> HexFormat.of().formatHex(row.key()) + " " + text(row.key()))
        .toList();
  }

  /** Returns the rows that hold a text in their keys or values. */
  static List<KeyValue> rows(KeyValueStore store, String text) {
    List<KeyValue> found = new ArrayList<>();
    byte[] begin = {};
    boolean more = true;
    while (more) {
      KeyRange range = new KeyRange(begin, new byte[] {(byte) 0xff});
      List<KeyValue> page = store.read(tr -> tr.getRange(range, ROWS_AT_ONCE));
      for (KeyValue row : page) {
        if (text(row.key()).contains(text) || text(row.value()).contains(text)) {
          found.add(row);
        }
        begin = KeyRange.after(row.key());
      }
      more = page.size() == ROWS_AT_ONCE;
    }
    return found;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
