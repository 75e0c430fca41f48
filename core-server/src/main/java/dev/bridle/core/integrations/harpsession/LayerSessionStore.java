package dev.bridle.core.integrations.harpsession;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.record.v1.LayerContentRecord;
import dev.bridle.record.v1.LayerEventRecord;
import dev.bridle.record.v1.LayerSessionRecord;
import dev.bridle.record.v1.LayerSnapshotRecord;
import dev.bridle.record.v1.LayerTotalsRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Stores events of sessions, ordered by their times:
 *
 * <pre>
 * tenant / RECORD / layer session, hash of the id             → LayerSessionRecord
 * tenant / RECORD / layer event, hash of the id, time, …      → how large it is
 * tenant / RECORD / layer event content, hash of the id, …    → the event
 * tenant / RECORD / layer snapshot, hash of the id, snapshot  → its hash
 * tenant / RECORD / layer totals                              → sessions and bytes of the tenant
 * DUE / LAYER_SESSION, hash of the id                         → when it is removed
 * </pre>
 */
public final class LayerSessionStore {
  private static final String TOTALS_ID = "totals";

  /** The definition of sessions. */
  public static final RecordDef<LayerSessionRecord> SESSION =
      RecordDef.of(134, "layer session", LayerSessionRecord.parser())
          .id(record -> id(record.getPlace()))
          .refersTo("workspace", LayerSessionRecord::getWorkspaceId)
          .alwaysDue(DueKind.LAYER_SESSION, LayerSessionRecord::getDueAt)
          .build();

  /** The definition of events. */
  public static final RecordDef<LayerEventRecord> EVENT =
      RecordDef.of(135, "layer event", LayerEventRecord.parser())
          .id(record -> id(record.getPlace(), record.getKey()))
          .besides("layer event content")
          .refersTo("layer session", record -> id(record.getPlace()))
          .build();

  /** The definition of the contents of events. */
  public static final RecordDef<LayerContentRecord> CONTENT =
      RecordDef.of(136, "layer event content", LayerContentRecord.parser())
          .id(record -> id(record.getPlace(), record.getKey()))
          .besides("layer event")
          .build();

  /** The definition of snapshots. */
  public static final RecordDef<LayerSnapshotRecord> SNAPSHOT =
      RecordDef.of(137, "layer snapshot", LayerSnapshotRecord.parser())
          .id(record -> id(record.getPlace(), record.getSnapshotId()))
          .refersTo("layer event", record -> id(record.getPlace(), record.getKey()))
          .build();

  /** The definition of totals, of which each tenant has one. */
  public static final RecordDef<LayerTotalsRecord> TOTALS =
      RecordDef.of(138, "layer totals", LayerTotalsRecord.parser()).id(record -> TOTALS_ID).build();

  private final RecordStore<LayerSessionRecord> sessions;
  private final RecordStore<LayerEventRecord> events;
  private final RecordStore<LayerContentRecord> contents;
  private final RecordStore<LayerSnapshotRecord> snapshots;
  private final RecordStore<LayerTotalsRecord> totals;
  private final DueIndex due;

  LayerSessionStore(CoreContext context) {
    this.sessions = SESSION.store(context.layout());
    this.events = EVENT.store(context.layout());
    this.contents = CONTENT.store(context.layout());
    this.snapshots = SNAPSHOT.store(context.layout());
    this.totals = TOTALS.store(context.layout());
    this.due = context.due();
  }

  private static String id(String place) {
    return HarpJson.hex(place.getBytes(StandardCharsets.UTF_8));
  }

  private static String id(String place, String rest) {
    return id(place) + "\n" + rest;
  }

  /** Returns a session, which may be in the course of its removal. */
  Optional<LayerSessionRecord> find(ReadTransaction tr, String tenant, String place) {
    return sessions.get(tr, tenant, id(place));
  }

  /** Returns the session of a due entry; empty if the entry is stale. */
  Optional<LayerSessionRecord> due(ReadTransaction tr, DueEntry entry) {
    return sessions
        .get(tr, entry.tenant(), entry.id())
        .filter(session -> SESSION.isDue(session, entry));
  }

  /** Removes a stale due entry. */
  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  LayerTotalsRecord totals(ReadTransaction tr, String tenant) {
    return totals.get(tr, tenant, TOTALS_ID).orElse(LayerTotalsRecord.getDefaultInstance());
  }

  private void count(Write write, int addedSessions, long addedBytes) {
    LayerTotalsRecord before = totals(write.tr(), write.tenant());
    totals.update(
        write.tr(),
        write.tenant(),
        TOTALS_ID,
        before,
        before.toBuilder()
            .setSessions(before.getSessions() + addedSessions)
            .setBytes(before.getBytes() + addedBytes)
            .build());
  }

  boolean hasEvent(ReadTransaction tr, String tenant, ReceivedEvent event) {
    return events.get(tr, tenant, id(event.place(), event.key())).isPresent();
  }

  Optional<LayerSnapshotRecord> snapshot(
      ReadTransaction tr, String tenant, String place, String snapshotId) {
    return snapshots.get(tr, tenant, id(place, snapshotId));
  }

  /** Returns events of a session after a key, in their order. */
  List<LayerEventRecord> after(
      ReadTransaction tr, String tenant, String place, String key, int limit) {
    String prefix = id(place) + "\n";
    // Keys are printable: what follows a key directly is the key and the lowest character.
    String from = key.isEmpty() ? prefix : prefix + key + "\u0001";
    return events.withPrefix(tr, tenant, prefix, from, limit);
  }

  /** Returns the content of an event that is there. */
  LayerContentRecord content(ReadTransaction tr, String tenant, LayerEventRecord event) {
    return contents.get(tr, tenant, id(event.getPlace(), event.getKey())).orElseThrow();
  }

  /** Stores the first event of a session. */
  void begin(Write write, LayerSessionRecord session, ReceivedEvent event) {
    LayerSessionRecord counted = counted(session, event);
    sessions.insert(write.tr(), write.tenant(), id(session.getPlace()), counted);
    SESSION.schedule(due, write.tr(), write.tenant(), counted);
    insert(write, event);
    count(write, 1, event.json().size());
  }

  /** Stores a further event of a session, which is changed by it. */
  void add(Write write, LayerSessionRecord before, LayerSessionRecord after, ReceivedEvent event) {
    update(write, before, counted(after, event));
    insert(write, event);
    count(write, 0, event.json().size());
  }

  private static LayerSessionRecord counted(LayerSessionRecord session, ReceivedEvent event) {
    return session.toBuilder()
        .setEvents(session.getEvents() + 1)
        .setBytes(session.getBytes() + event.json().size())
        .build();
  }

  private void update(Write write, LayerSessionRecord before, LayerSessionRecord after) {
    sessions.update(write.tr(), write.tenant(), id(after.getPlace()), before, after);
    SESSION.reschedule(due, write.tr(), write.tenant(), before, after);
  }

  private void insert(Write write, ReceivedEvent event) {
    String session = event.place();
    String key = event.key();
    LayerEventRecord.Builder record =
        LayerEventRecord.newBuilder().setPlace(session).setKey(key).setBytes(event.json().size());
    event
        .event()
        .snapshot()
        .ifPresent(
            snapshot -> {
              record.setSnapshotId(snapshot.id());
              insert(write, session, key, snapshot);
            });
    events.insert(write.tr(), write.tenant(), id(session, key), record.build());
    contents.insert(
        write.tr(),
        write.tenant(),
        id(session, key),
        LayerContentRecord.newBuilder()
            .setPlace(session)
            .setKey(key)
            .setJson(event.json())
            .build());
  }

  private void insert(Write write, String session, String key, SessionEvent.Snapshot snapshot) {
    snapshots.insert(
        write.tr(),
        write.tenant(),
        id(session, snapshot.id()),
        LayerSnapshotRecord.newBuilder()
            .setPlace(session)
            .setSnapshotId(snapshot.id())
            .setHash(snapshot.hash())
            .setKey(key)
            .build());
  }

  /**
   * Removes some events of a session, and the session with the last ones; it stays due until then.
   * A transaction can't remove all that a session may have.
   */
  void removeSome(Write write, LayerSessionRecord session, int most) {
    String id = session.getPlace();
    List<LayerEventRecord> some = after(write.tr(), write.tenant(), id, "", most);
    for (LayerEventRecord event : some) {
      events.remove(write.tr(), write.tenant(), id(id, event.getKey()));
      contents.remove(write.tr(), write.tenant(), id(id, event.getKey()));
      if (!event.getSnapshotId().isEmpty()) {
        snapshots.remove(write.tr(), write.tenant(), id(id, event.getSnapshotId()));
      }
    }
    if (some.size() == most) {
      update(write, session, session.toBuilder().setRemoving(true).build());
    } else {
      sessions.remove(write.tr(), write.tenant(), id(id));
      SESSION.unschedule(due, write.tr(), write.tenant(), session);
      count(write, -1, -session.getBytes());
    }
  }
}
