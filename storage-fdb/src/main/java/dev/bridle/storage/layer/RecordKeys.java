package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * Builds and parses the keys of {@link RecordStore}:
 *
 * <pre>
 * tenant / RECORD / kind, id                          → record
 * tenant / RECORD / kind, id, chunk                   → rest of a large record
 * tenant / INDEX / kind, index, value, era, stamp     → id
 * </pre>
 *
 * <p>Records sort by id, and rows of an index by their positions in the order of the log.
 */
public final class RecordKeys {
  private static final byte[] LAST = {(byte) 0xFF};

  private final KeyLayout layout;

  public RecordKeys(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the key of a record. */
  public byte[] recordKey(String tenant, int kind, String id) {
    return layout.key(records(tenant, kind).add(id));
  }

  /** Returns the range of the records of a kind, with their chunks. */
  public KeyRange recordRange(String tenant, int kind) {
    return layout.children(records(tenant, kind));
  }

  /** Returns the range of the records whose ids begin with {@code prefix}, from an id on. */
  KeyRange recordRangeFrom(String tenant, int kind, String prefix, String from) {
    return new KeyRange(openKey(tenant, kind, from), endOf(tenant, kind, prefix));
  }

  /** Returns the range of the records whose ids begin with {@code prefix}, before an id. */
  KeyRange recordRangeBefore(String tenant, int kind, String prefix, Optional<String> before) {
    return new KeyRange(
        openKey(tenant, kind, prefix),
        before.map(id -> recordKey(tenant, kind, id)).orElseGet(() -> endOf(tenant, kind, prefix)));
  }

  /**
   * Returns the keys of one value of an index.
   *
   * @param kind the number of the records' kind
   * @param index the index's number
   * @param value the indexed value; empty for an index of all records
   */
  public Index index(String tenant, int kind, int index, String value) {
    return new Index(
        layout, layout.tenant(tenant, TenantSpace.INDEX).add(kind).add(index).add(value));
  }

  /** Returns the range of all rows of an index, whatever their values. */
  public KeyRange indexRange(String tenant, int kind, int index) {
    return layout.children(layout.tenant(tenant, TenantSpace.INDEX).add(kind).add(index));
  }

  /**
   * Returns the key of an id without its terminator, so that all ids with this prefix sort after
   * it.
   */
  private byte[] openKey(String tenant, int kind, String id) {
    byte[] key = recordKey(tenant, kind, id);
    return Arrays.copyOf(key, key.length - 1);
  }

  private byte[] endOf(String tenant, int kind, String prefix) {
    return ByteArrayUtil.join(openKey(tenant, kind, prefix), LAST);
  }

  private Tuple records(String tenant, int kind) {
    return layout.tenant(tenant, TenantSpace.RECORD).add(kind);
  }

  /** The keys of an index's rows with one value. */
  public static final class Index {
    private final KeyLayout layout;
    private final Tuple parent;
    private final byte[] parentKey;

    private Index(KeyLayout layout, Tuple parent) {
      this.layout = layout;
      this.parent = parent;
      this.parentKey = layout.key(parent);
    }

    /** Returns the key of the row at a log position. */
    public byte[] rowKey(LogPosition place) {
      return layout.key(at(parent, place));
    }

    /** Returns the stamped key of a new row. */
    byte[] stampedRowKey(PendingEventId order) {
      return layout.stampedKey(
          parent.add(order.era()).add(Versionstamp.incomplete(order.number())));
    }

    /** Returns the range of the rows. */
    public KeyRange range() {
      return layout.children(parent);
    }

    /** Returns the range of the rows after a log position; of all of them without one. */
    KeyRange rangeAfter(Optional<LogPosition> after) {
      return after
          .map(place -> layout.childrenAfter(parent, at(parent, place)))
          .orElseGet(this::range);
    }

    /**
     * Returns the range of the rows that follow a position in the direction of a page; of all of
     * them without one.
     */
    KeyRange rangeAfterPosition(Optional<byte[]> after, boolean newestFirst) {
      return after
          .map(position -> ByteArrayUtil.join(parentKey, position))
          .map(key -> range().after(key, newestFirst))
          .orElseGet(this::range);
    }

    /** Parses the log position of a row. */
    LogPosition parseRowKey(byte[] key) {
      return placeAt(layout.unpack(key), parent.size());
    }

    /** Returns the position of a row: its key without the prefix of the index's value. */
    byte[] positionOf(byte[] key) {
      return Arrays.copyOfRange(key, parentKey.length, key.length);
    }
  }

  /** Returns the position of a row at a log position, in any index. */
  static byte[] position(LogPosition place) {
    return at(new Tuple(), place).pack();
  }

  /** Parses the log position of a row from its position in an index. */
  static LogPosition parsePosition(byte[] position) {
    return placeAt(Tuple.fromBytes(position), 0);
  }

  private static Tuple at(Tuple parent, LogPosition place) {
    return parent.add(place.era()).add(place.stamp());
  }

  private static LogPosition placeAt(Tuple items, int at) {
    return LogPosition.of((int) items.getLong(at), items.getVersionstamp(at + 1));
  }
}
