package dev.bridle.core.operations.check.log;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventKeys;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;
import java.util.Optional;

/** Builds keys of a tenant's log, and reads its rows. */
public final class LogRows {
  /** The maximum number of a tenant's imports that are read. */
  private static final int IMPORTS = 1000;

  private final Rows rows;
  private final EventKeys keys;
  private final String tenant;
  private final int partitions;

  public LogRows(CheckScope scope) {
    this.rows = scope.rows();
    this.keys = rows.eventKeys();
    this.tenant = scope.tenant();
    this.partitions = scope.partitions();
  }

  public byte[] body(String stream, EventId id) {
    return keys.bodyKey(tenant, stream, id);
  }

  public byte[] feed(EventId id) {
    return keys.feedKey(tenant, id);
  }

  public byte[] pointer(String task, long sequence) {
    return keys.taskEventKey(tenant, task, sequence);
  }

  public byte[] last(String stream) {
    return keys.lastEventKey(tenant, stream);
  }

  public byte[] counter(String object, String id) {
    return keys.sequenceKey(tenant, object, id);
  }

  public int partition(String stream) {
    return rows.partitionOf(stream, partitions);
  }

  /** Returns the id of the event whose body is stored under a key. */
  public EventId id(RowKey body) {
    return rows.eventId(body.number(1), body.stamp(2), partition(body.text(0)));
  }

  public Optional<EventRecord> parse(ReadTransaction tr, byte[] key, byte[] first) {
    try {
      Optional<byte[]> whole = rows.whole(tr, key, first);
      return whole.isEmpty() ? Optional.empty() : Optional.of(EventRecord.parseFrom(whole.get()));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** Returns the id of the newest event of a stream, by its bodies. */
  public Optional<EventId> newest(ReadTransaction tr, String stream) {
    return end(tr, stream, true);
  }

  /** Returns the id of the oldest event of a stream, by its bodies. */
  public Optional<EventId> oldest(ReadTransaction tr, String stream) {
    return end(tr, stream, false);
  }

  private Optional<EventId> end(ReadTransaction tr, String stream, boolean last) {
    List<KeyValue> found = tr.getRange(keys.bodyRange(tenant, stream), 1, last);
    return found.stream()
        .findFirst()
        .flatMap(row -> rows.parse(row.key()))
        .filter(key -> key.begins(String.class, Long.class, CommitStamp.class))
        .map(this::id);
  }

  /**
   * Returns whether an event was certainly created here and not imported: an import starts an era
   * above all events that it loads.
   */
  public boolean isLocal(ReadTransaction tr, EventId id) {
    return eraOfImports(tr).filter(era -> era <= id.era()).isPresent();
  }

  /**
   * Returns the highest era that an import started, 0 without imports; empty if it can't be
   * determined.
   */
  public Optional<Integer> eraOfImports(ReadTransaction tr) {
    List<KeyValue> imports = tr.getRange(rows.below(tenant, TenantSpace.IMPORT), IMPORTS + 1);
    int highest = 0;
    for (KeyValue row : imports) {
      Optional<ImportRecord> begun = ImportsCheck.parse(row.value());
      if (begun.isEmpty()) {
        return Optional.empty();
      }
      highest = Math.max(highest, begun.get().getEra());
    }
    return imports.size() > IMPORTS ? Optional.empty() : Optional.of(highest);
  }

  /** Returns whether retention has dropped a stream's events up to an event. */
  public boolean dropped(ReadTransaction tr, String stream, EventId id) {
    return floor(tr, stream).filter(floor -> id.compareTo(floor) < 0).isPresent();
  }

  /** Returns whether retention may have dropped an event whose stream is unknown. */
  public boolean mayBeDropped(ReadTransaction tr, EventId id) {
    return dropped(tr, EventKeys.WHOLE_TENANT, id);
  }

  /** Returns whether retention has dropped any events of a stream. */
  public boolean hasFloor(ReadTransaction tr, String stream) {
    return floor(tr, stream).isPresent();
  }

  private Optional<EventId> floor(ReadTransaction tr, String stream) {
    return tr.get(keys.floorKey(tenant, stream)).flatMap(rows::eventId);
  }
}
