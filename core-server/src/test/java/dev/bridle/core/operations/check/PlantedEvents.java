package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Faults in the log and in what is kept of it. */
final class PlantedEvents {
  private PlantedEvents() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.LAST_EVENT_WRONG,
            "the newest event of a session lost, which is kept as such",
            (tenant, stored) -> loseNewest(tenant, stored)),
        Plant.of(
            FaultKind.COUNTER_WRONG,
            "the newest event of a session lost, which has been counted",
            (tenant, stored) -> loseNewest(tenant, stored)),
        Plant.of(
            FaultKind.FEED_MISSING,
            "a feed entry lost, perhaps of an imported event",
            (tenant, stored) -> {
              Row event = ofTask(stored, tenant.failed, 1);
              stored.clear(feed(stored, event));
              beginImport(stored);
              return id(stored, event).toString();
            }),
        Plant.of(
            FaultKind.FEED_WRONG,
            "a feed entry, perhaps of an imported event, that names another stream",
            (tenant, stored) -> {
              Row event = ofTask(stored, tenant.failed, 1);
              stored.set(feed(stored, event), stored.rows.value(elsewhere(stored, event)));
              beginImport(stored);
              return id(stored, event).toString();
            }),
        Plant.of(
                FaultKind.FEED_WRONG,
                "a feed entry that names another stream",
                (tenant, stored) -> {
                  Row event = ofTask(stored, tenant.failed, 1);
                  stored.set(feed(stored, event), stored.rows.value(elsewhere(stored, event)));
                  return id(stored, event).toString();
                })
            .mended(),
        Plant.of(
            FaultKind.SEQUENCE_BROKEN,
            "an event of a session lost, and its feed entry with it",
            (tenant, stored) -> {
              Row lost = ofSession(tenant, stored, 1);
              EventId next = id(stored, ofSession(tenant, stored, 2));
              stored.clear(lost.raw());
              stored.clear(feed(stored, lost));
              return next.toString();
            }),
        Plant.of(
            FaultKind.FEED_ORPHANED,
            "an event of a session lost",
            (tenant, stored) -> {
              Row lost = ofSession(tenant, stored, 1);
              stored.clear(lost.raw());
              return id(stored, lost).toString();
            }),
        Plant.of(
            FaultKind.POINTER_WRONG,
            "an event of a task lost",
            (tenant, stored) -> {
              stored.clear(ofTask(stored, tenant.completed, 2).raw());
              return tenant.completed;
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "an event damaged",
            (tenant, stored) -> {
              Row event = ofTask(stored, tenant.completed, 2);
              stored.set(event.raw(), new byte[] {0, (byte) 0xff});
              return id(stored, event).toString();
            }),
        Plant.of(
            FaultKind.COMMITMENT_WRONG,
            "the payload of an event changed",
            (tenant, stored) -> {
              Row event = ofTask(stored, tenant.failed, 1);
              stored.set(
                  event.raw(),
                  Stored.whole(
                      event(event).toBuilder()
                          .setPayload(ByteString.copyFromUtf8("{\"status\":\"LUCKY\"}"))
                          .build()));
              return id(stored, event).toString();
            }),
        Plant.of(
                FaultKind.FEED_MISSING,
                "a feed entry lost",
                (tenant, stored) -> {
                  Row event = ofTask(stored, tenant.failed, 1);
                  stored.clear(feed(stored, event));
                  return id(stored, event).toString();
                })
            .mended(),
        Plant.of(
                FaultKind.FEED_WRONG,
                "a feed entry in another partition",
                (tenant, stored) -> {
                  Row feed = stored.list(TenantSpace.FEED).get(0);
                  long partition = (feed.key().number(0) + 1) % 16;
                  CommitStamp stamp = feed.key().stamp(2);
                  stored.set(stored.key(TenantSpace.FEED, partition, 0L, stamp), feed.value());
                  return stored.rows.eventId(0, stamp, (int) partition).toString();
                })
            .mended(),
        Plant.of(
                FaultKind.POINTER_MISSING,
                "a pointer of a task lost",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.TASK_EVENT, tenant.completed, 1L));
                  return id(stored, ofTask(stored, tenant.completed, 1)).toString();
                })
            .mended(),
        Plant.of(
                FaultKind.POINTER_MISSING,
                "a pointer of a task that names another of its events",
                (tenant, stored) -> {
                  Row event = ofTask(stored, tenant.completed, 1);
                  byte[] other =
                      stored.value(stored.key(TenantSpace.TASK_EVENT, tenant.completed, 2L));
                  stored.set(stored.key(TenantSpace.TASK_EVENT, tenant.completed, 1L), other);
                  return id(stored, event).toString();
                })
            .mended(),
        Plant.of(
                FaultKind.LAST_EVENT_WRONG,
                "the newest event of a session forgotten",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.LAST_EVENT, tenant.session));
                  return tenant.session;
                })
            .mended(),
        Plant.of(
                FaultKind.LAST_EVENT_WRONG,
                "another event kept as the newest of a session",
                (tenant, stored) -> {
                  byte[] first = stored.value(stored.key(TenantSpace.TASK_EVENT, tenant.held, 0L));
                  stored.set(stored.key(TenantSpace.LAST_EVENT, tenant.session), first);
                  return tenant.session;
                })
            .mended(),
        Plant.of(
            FaultKind.LAST_EVENT_WRONG,
            "a newest event of a stream without events",
            (tenant, stored) -> {
              byte[] some = stored.value(stored.key(TenantSpace.LAST_EVENT, tenant.session));
              stored.set(stored.key(TenantSpace.LAST_EVENT, "session_none"), some);
              return "session_none";
            }),
        Plant.of(
                FaultKind.COUNTER_WRONG,
                "the counter of a session set back",
                (tenant, stored) -> {
                  stored.set(
                      stored.key(TenantSpace.SEQUENCE, "session", tenant.session),
                      ByteBuffer.allocate(8).putLong(1).array());
                  return tenant.session;
                })
            .mended(),
        Plant.of(
            FaultKind.COUNTER_WRONG,
            "a counter of what has no events",
            (tenant, stored) -> {
              stored.set(
                  stored.key(TenantSpace.SEQUENCE, "session", "session_none"),
                  ByteBuffer.allocate(8).putLong(1).array());
              return "session_none";
            }));
  }

  /** Loses the newest event of the session, which is its own, with its feed entry. */
  private static String loseNewest(RealTenant tenant, Stored stored) {
    List<Row> events =
        stored.list(TenantSpace.EVENT, tenant.session).stream()
            .filter(row -> row.key().items().size() == 3)
            .toList();
    Row newest = events.get(events.size() - 1);
    if (!event(newest).getResourceId().equals(tenant.session)) {
      throw new IllegalStateException("the newest event of the session is another resource's");
    }
    stored.clear(newest.raw());
    stored.clear(feed(stored, newest));
    return tenant.session;
  }

  /** Leaves what an import does that began after all that is there. */
  private static void beginImport(Stored stored) {
    byte[] key = stored.key(TenantSpace.ERA);
    long era = stored.rows.number(stored.value(key)).orElseThrow() + 1;
    stored.set(key, stored.rows.value(era));
    stored.set(
        stored.key(TenantSpace.IMPORT, (Object) new byte[32]),
        ImportRecord.newBuilder().setEra((int) era).build().toByteArray());
  }

  /** Returns a stream that lies in another partition than an event. */
  private static String elsewhere(Stored stored, Row event) {
    int own = stored.rows.partitionOf(event.key().text(0), 16);
    return IntStream.range(0, 1000)
        .mapToObj(number -> "session_" + number)
        .filter(stream -> stored.rows.partitionOf(stream, 16) != own)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the body of an event that is the session's own. */
  private static Row ofSession(RealTenant tenant, Stored stored, long sequence) {
    return stored.list(TenantSpace.EVENT, tenant.session).stream()
        .filter(row -> row.key().items().size() == 3)
        .filter(
            row ->
                event(row).getResourceId().equals(tenant.session)
                    && event(row).getSequence() == sequence)
        .findFirst()
        .orElseThrow();
  }

  private static Row ofTask(Stored stored, String task, long sequence) {
    return stored.list(TenantSpace.EVENT).stream()
        .filter(row -> row.key().items().size() == 3 && row.value()[0] == 0)
        .filter(row -> event(row).getTaskId().equals(task) && event(row).getSequence() == sequence)
        .findFirst()
        .orElseThrow();
  }

  static EventRecord event(Row row) {
    try {
      return row.value()[0] == 0
          ? EventRecord.parseFrom(Arrays.copyOfRange(row.value(), 1, row.value().length))
          : EventRecord.getDefaultInstance();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EventId id(Stored stored, Row body) {
    return stored.rows.eventId(
        body.key().number(1), body.key().stamp(2), stored.rows.partitionOf(body.key().text(0), 16));
  }

  private static byte[] feed(Stored stored, Row body) {
    long partition = stored.rows.partitionOf(body.key().text(0), 16);
    return stored.key(TenantSpace.FEED, partition, body.key().number(1), body.key().stamp(2));
  }
}
