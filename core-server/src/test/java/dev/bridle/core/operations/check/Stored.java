package dev.bridle.core.operations.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Reads and damages what is stored, row by row. */
final class Stored {
  static final String TENANT = "default";
  final KeyLayout layout = KeyLayout.root();
  final Rows rows = new Rows(layout);
  final KeyValueStore store;

  Stored(KeyValueStore store) {
    this.store = store;
  }

  /** Returns everything, by its keys in hex. */
  Map<String, ByteBuffer> all() {
    Map<String, ByteBuffer> all = new TreeMap<>();
    KeyRange range = rows.all();
    List<KeyValue> page = page(range);
    while (!page.isEmpty()) {
      page.forEach(
          row -> all.put(HexFormat.of().formatHex(row.key()), ByteBuffer.wrap(row.value())));
      range = new KeyRange(KeyRange.after(page.get(page.size() - 1).key()), range.end());
      page = page(range);
    }
    return all;
  }

  private List<KeyValue> page(KeyRange range) {
    return store.read(tr -> tr.getRange(range, 500));
  }

  /** Puts everything back as it was. */
  void restore(Map<String, ByteBuffer> was) {
    Map<String, ByteBuffer> is = all();
    store.transact(
        tr -> {
          is.forEach(
              (key, value) -> {
                if (!was.containsKey(key)) {
                  tr.clear(HexFormat.of().parseHex(key));
                }
              });
          was.forEach(
              (key, value) -> {
                if (!value.equals(is.get(key))) {
                  tr.set(HexFormat.of().parseHex(key), bytes(value));
                }
              });
          return true;
        });
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }

  /** Returns the names of the subspaces in which two states differ. */
  Set<String> differing(Map<String, ByteBuffer> one, Map<String, ByteBuffer> other) {
    Set<String> spaces = new HashSet<>();
    Set<String> keys = new HashSet<>(one.keySet());
    keys.addAll(other.keySet());
    for (String key : keys) {
      if (!Objects.equals(one.get(key), other.get(key))) {
        spaces.add(
            rows.parse(HexFormat.of().parseHex(key)).map(RowKey::spaceName).orElse("unknown"));
      }
    }
    return spaces;
  }

  byte[] key(TenantSpace space, Object... items) {
    return rows.key(TENANT, space, items);
  }

  /** Returns the rows of a tenant's subspace below some items. */
  List<Row> list(TenantSpace space, Object... items) {
    return rows(rows.below(TENANT, space, items));
  }

  List<Row> list(SystemSpace space) {
    return rows(rows.below(space));
  }

  private List<Row> rows(KeyRange range) {
    return store.read(tr -> tr.getRange(range, 10_000)).stream()
        .map(row -> new Row(row.key(), rows.parse(row.key()).orElseThrow(), row.value()))
        .toList();
  }

  byte[] value(byte[] key) {
    return store.read(tr -> tr.get(key)).orElseThrow();
  }

  void set(byte[] key, byte[] value) {
    store.transact(
        tr -> {
          tr.set(key, value);
          return true;
        });
  }

  private final List<KeyValue> waiting = new ArrayList<>();

  /** Sets a record's only row with the next {@link #flush()}. */
  void put(byte[] key, MessageLite record) {
    waiting.add(new KeyValue(key, whole(record)));
  }

  /** Sets a row that holds a text with the next {@link #flush()}. */
  void put(byte[] key, String text) {
    waiting.add(new KeyValue(key, rows.value(text)));
  }

  void flush() {
    store.transact(
        tr -> {
          waiting.forEach(row -> tr.set(row.key(), row.value()));
          return true;
        });
    waiting.clear();
  }

  /** Returns a value that has no further rows. */
  static byte[] whole(MessageLite value) {
    return ByteBuffer.allocate(1 + value.getSerializedSize())
        .put((byte) 0)
        .put(value.toByteArray())
        .array();
  }

  /** Changes a record, and nothing beside it. */
  <M extends MessageLite> void changed(
      long kind, String id, Parser<M> parser, UnaryOperator<M> change) {
    byte[] key = key(TenantSpace.RECORD, kind, id);
    byte[] value = value(key);
    try {
      set(key, whole(change.apply(parser.parseFrom(Arrays.copyOfRange(value, 1, value.length)))));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  void clear(byte[] key) {
    store.transact(
        tr -> {
          tr.clear(key);
          return true;
        });
  }

  TaskRecord task(String id) {
    return store.read(tr -> tasks().get(tr, TENANT, id)).orElseThrow();
  }

  void change(String task, Consumer<TaskRecord.Builder> change) {
    TaskRecord before = task(task);
    TaskRecord.Builder after = before.toBuilder();
    change.accept(after);
    store.transact(
        tr -> {
          tasks().update(tr, TENANT, task, before, after.build());
          return true;
        });
  }

  private RecordStore<TaskRecord> tasks() {
    return new RecordStore<>(layout, new RecordType<>(10, TaskRecord.parser()));
  }
}
