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
    List<String> found = new ArrayList<>();
    byte[] begin = {};
    boolean more = true;
    while (more) {
      KeyRange range = new KeyRange(begin, new byte[] {(byte) 0xff});
      List<KeyValue> page = store.read(tr -> tr.getRange(range, ROWS_AT_ONCE));
      for (KeyValue row : page) {
        if (text(row.key()).contains(text) || text(row.value()).contains(text)) {
          found.add(HexFormat.of().formatHex(row.key()) + " " + text(row.key()));
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
