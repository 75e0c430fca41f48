package dev.bridle.storage.layer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A parser for the keys of the layout: ASCII texts, bytes, whole numbers and stamps, in one pass
 * over the bytes. Scans of all rows spend much of their time in parsing keys. The caller parses any
 * other key by the tuple layer.
 */
final class RowItems {
  private static final int BYTES = 0x01;
  private static final int TEXT = 0x02;
  private static final int ZERO = 0x14;
  private static final int STAMP = 0x33;
  private static final int STAMP_BYTES = 12;

  /** The maximum length of a number that is parsed here; it fits into a long. */
  private static final int NUMBER_BYTES = 7;

  private static final int MAX_ITEMS = 8;

  /** Marks an item that is incomplete or of another type. */
  private static final Object NONE = new Object();

  private final byte[] key;
  private int at;

  private RowItems(byte[] key, int at) {
    this.key = key;
    this.at = at;
  }

  /** Parses a key from an offset on; empty if an item is incomplete or of another type. */
  static Optional<RowKey> parse(byte[] key, int from) {
    RowItems items = new RowItems(key, from);
    Object owner = items.next();
    if (owner.equals(KeyLayout.SYSTEM) && items.next() instanceof Long space) {
      return items.rest(SystemSpace.of(space), Optional.empty(), "");
    }
    if (owner.equals(KeyLayout.TENANT)
        && items.next() instanceof String tenant
        && items.next() instanceof Long space) {
      return items.rest(Optional.empty(), TenantSpace.of(space), tenant);
    }
    return Optional.empty();
  }

  private Optional<RowKey> rest(
      Optional<SystemSpace> system, Optional<TenantSpace> space, String tenant) {
    Object[] rest = new Object[MAX_ITEMS];
    int count = 0;
    while (at < key.length) {
      Object next = count == MAX_ITEMS ? NONE : next();
      if (next == NONE) {
        return Optional.empty();
      }
      rest[count++] = next;
    }
    return Optional.of(new RowKey(system, space, tenant, List.of(Arrays.copyOf(rest, count))));
  }

  /** Reads the next item, or {@link #NONE}. */
  private Object next() {
    if (at == key.length) {
      return NONE;
    }
    int type = key[at++];
    if (type == BYTES || type == TEXT) {
      return text(type);
    }
    if (type == STAMP) {
      return stamp();
    }
    int length = type - ZERO;
    boolean fits = Math.abs(length) <= NUMBER_BYTES && key.length - at >= Math.abs(length);
    // The tuple layer always writes the shortest form.
    return fits && (length == 0 || key[at] != (length > 0 ? 0 : (byte) 0xff))
        ? number(length)
        : NONE;
  }

  private Long number(int length) {
    long number = 0;
    for (int i = 0; i < Math.abs(length); i++) {
      number = (number << Byte.SIZE) | (key[at++] & 0xff);
    }
    return length < 0 ? number - ((1L << (-length * Byte.SIZE)) - 1) : number;
  }

  /**
   * Reads a text or bytes, which end with 0; a 0 within them is followed by 255. Returns {@link
   * #NONE} for texts beyond ASCII, since the tuple layer rejects malformed UTF-8.
   */
  private Object text(int type) {
    int begin = at;
    int signs = 0;
    while (at < key.length && key[at] != 0) {
      signs |= key[at++];
    }
    int end = at++;
    if (end == key.length || (at < key.length && key[at] == (byte) 0xff)) {
      return NONE;
    }
    if (type == BYTES) {
      return Arrays.copyOfRange(key, begin, end);
    }
    return signs < 0 ? NONE : new String(key, begin, end - begin, US_ASCII);
  }

  private Object stamp() {
    int begin = at;
    at += STAMP_BYTES;
    return at > key.length ? NONE : new CommitStamp(Arrays.copyOfRange(key, begin, at));
  }
}
