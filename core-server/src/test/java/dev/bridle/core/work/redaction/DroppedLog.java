package dev.bridle.core.work.redaction;

import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;

/** Does to a session's log what retention does, at once. */
final class DroppedLog {
  private DroppedLog() {}

  /** Drops the events of a session. */
  static void drop(TestCore core, String session) {
    List<DroppedEvent> events =
        core
            .events()
            .listSessionEvents(
                ListSessionEventsRequest.newBuilder().setSessionId(session).setLimit(200).build())
            .getDataList()
            .stream()
            .map(
                event ->
                    new DroppedEvent(
                        EventId.parse(event.getId()).orElseThrow(),
                        session,
                        event.getTaskId(),
                        event.getSequence()))
            .toList();
    EventLog log = EventLog.open(core.store(), KeyLayout.root());
    core.store()
        .transact(
            tr -> {
              log.drop(tr, "default", events);
              return true;
            });
  }
}
