package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Low-level access to all stored rows, for components that process storage as a whole, such as the
 * checker. Items of keys are those of {@link RowKey}.
 */
public final class Rows {
  private static final int TENANT_ITEMS = 3;
  private static final int SYSTEM_ITEMS = 2;

  private final KeyLayout layout;

  public Rows(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the keys of events. */
  public EventKeys eventKeys() {
    return new EventKeys(layout);
  }

  /** Returns the keys of the queue. */
  public QueueKeys queueKeys() {
    return new QueueKeys(layout);
  }

  /** Returns the keys of records. */
  public RecordKeys recordKeys() {
    return new RecordKeys(layout);
  }

  /** Returns the range of all keys. */
  public KeyRange all() {
    return layout.children(new Tuple());
  }

  /** Returns the key of a row that belongs to no tenant. */
  public byte[] key(SystemSpace space, Object... items) {
    return layout.key(tuple(layout.system(space), items));
  }

  /** Returns the key of a tenant's row. */
  public byte[] key(String tenant, TenantSpace space, Object... items) {
    return layout.key(tuple(layout.tenant(tenant, space), items));
  }

  /** Returns the range of the keys that extend these items. */
  public KeyRange below(SystemSpace space, Object... items) {
    return layout.children(tuple(layout.system(space), items));
  }

  /** Returns the range of a tenant's keys that extend these items. */
  public KeyRange below(String tenant, TenantSpace space, Object... items) {
    return layout.children(tuple(layout.tenant(tenant, space), items));
  }

  /** Returns the range of all keys of a tenant. */
  public KeyRange tenant(String tenant) {
    return layout.children(layout.tenants().add(tenant));
  }

  /**
   * Parses a key; empty if it is not of the layout. For an unknown subspace, both subspaces of the
   * result are empty.
   */
  public Optional<RowKey> parse(byte[] key) {
    return RowItems.parse(key, layout.prefixLength()).or(() -> parseTuple(key));
  }

  /** Parses a key by the tuple layer; empty also if the key is not in its canonical form. */
  Optional<RowKey> parseTuple(byte[] key) {
    try {
      Tuple tuple = layout.unpack(key);
      // An unpacked tuple keeps its bytes, so a new one is packed.
      byte[] written = layout.key(Tuple.fromList(tuple.getItems()));
      return Optional.of(parse(tuple)).filter(row -> Arrays.equals(written, key));
    } catch (RuntimeException notATuple) { // The tuple layer throws whatever it stumbles over.
      return Optional.empty();
    }
  }

  private static RowKey parse(Tuple key) {
    if (key.getLong(0) == 0) {
      return new RowKey(
          SystemSpace.of(key.getLong(1)), Optional.empty(), "", items(key, SYSTEM_ITEMS));
    }
    if (key.getLong(0) == 1) {
      return new RowKey(
          Optional.empty(),
          TenantSpace.of(key.getLong(2)),
          Objects.requireNonNull(key.getString(1)),
          items(key, TENANT_ITEMS));
    }
    throw new IllegalArgumentException("a key begins with " + key.getLong(0));
  }

  private static List<Object> items(Tuple key, int from) {
    List<Object> items = new ArrayList<>();
    for (int i = from; i < key.size(); i++) {
      Object item = key.get(i);
      if (item instanceof Versionstamp stamp) {
        items.add(CommitStamp.of(stamp));
      } else if (item instanceof String || item instanceof Long || item instanceof byte[]) {
        items.add(item);
      } else {
        items.add("<" + item + ">");
      }
    }
    return items;
  }

  /** Returns how many further rows a large value has, given its first row; -1 if that is empty. */
  public int furtherRows(byte[] first) {
    return first.length == 0 ? -1 : LargeValue.furtherChunks(first);
  }

  /** Returns a whole value, given its key and first row; empty if further rows are missing. */
  public Optional<byte[]> whole(ReadTransaction tr, byte[] key, byte[] first) {
    int further = furtherRows(first);
    if (further < 0) {
      return Optional.empty();
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream(first.length);
    whole.write(first, 1, first.length - 1);
    if (further > 0) {
      Tuple at = layout.unpack(key);
      List<KeyValue> rest = tr.getRange(layout.children(at), further + 1);
      for (int i = 1; i <= further; i++) {
        if (rest.size() < i || !isNumbered(rest.get(i - 1).key(), at.size(), i)) {
          return Optional.empty();
        }
        whole.writeBytes(rest.get(i - 1).value());
      }
    }
    return Optional.of(whole.toByteArray());
  }

  private boolean isNumbered(byte[] key, int item, long number) {
    return layout.unpack(key).get(item) instanceof Long is && is == number;
  }

  /** Returns the event id of 15 bytes; empty if the length is wrong. */
  public Optional<EventId> eventId(byte[] value) {
    return value.length == EventId.BYTES ? Optional.of(EventId.fromBytes(value)) : Optional.empty();
  }

  /** Returns the id of the event of an era and stamp. */
  public EventId eventId(long era, CommitStamp stamp, int partition) {
    return EventId.of((int) era, stamp.toVersionstamp(), partition);
  }

  /** Returns an id's stamp, as an item of a key. */
  public CommitStamp stamp(EventId id) {
    return CommitStamp.of(id.stamp());
  }

  /** Returns an id as it is stored in values. */
  public byte[] value(EventId id) {
    return id.toBytes();
  }

  /** Returns a text as it is stored in the values of indexes and feeds. */
  public byte[] value(String text) {
    return Tuple.from(text).pack();
  }

  /** Returns a whole number as it is stored in values. */
  public byte[] value(long number) {
    return Tuple.from(number).pack();
  }

  /** Returns the text of an index's or feed's value; empty if it has none. */
  public Optional<String> text(byte[] value) {
    try {
      return Optional.of(Tuple.fromBytes(value).getString(0));
    } catch (RuntimeException notAText) { // The tuple layer throws whatever it stumbles over.
      return Optional.empty();
    }
  }

  /** Returns the integer of a value; empty if it has none. */
  public Optional<Long> number(byte[] value) {
    try {
      return Optional.of(Tuple.fromBytes(value).getLong(0));
    } catch (RuntimeException notANumber) { // The tuple layer throws whatever it stumbles over.
      return Optional.empty();
    }
  }

  /** Returns the partition of a stream. */
  public int partitionOf(String stream, int partitions) {
    return EventPartitions.of(stream, partitions);
  }

  private static Tuple tuple(Tuple parent, Object... items) {
    Tuple tuple = parent;
    for (Object item : items) {
      tuple = tuple.addObject(item instanceof CommitStamp s ? s.toVersionstamp() : item);
    }
    return tuple;
  }
}
