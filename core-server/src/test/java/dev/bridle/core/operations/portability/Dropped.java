package dev.bridle.core.operations.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.server.TestCore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.util.List;
import java.util.Optional;

/** Drops events as retention does, but exactly as many as a test wants. */
final class Dropped {
  private Dropped() {}

  /** Drops all events of a session before one, which stays. */
  static void before(TestCore core, String session, String event) {
    EventLog log = EventLog.open(core.store(), KeyLayout.root());
    core.store()
        .transact(
            tr -> {
              List<StoredEvent> events =
                  log.readStream(tr.snapshot(), "default", session, Optional.empty(), 1000);
              log.drop(
                  tr,
                  "default",
                  events.stream()
                      .filter(stored -> stored.id().toString().compareTo(event) < 0)
                      .map(Dropped::of)
                      .toList());
              return true;
            });
  }

  private static DroppedEvent of(StoredEvent event) {
    try {
      EventRecord record = EventRecord.parseFrom(event.body());
      return new DroppedEvent(event.id(), event.stream(), record.getTaskId(), record.getSequence());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
