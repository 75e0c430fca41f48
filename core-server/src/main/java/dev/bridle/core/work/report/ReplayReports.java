package dev.bridle.core.work.report;

import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.worker.v1.EventReport;
import java.util.OptionalLong;
import java.util.Set;

/** The events by which the worker of a replay says how far it is (section "Event taxonomy"). */
final class ReplayReports {
  private static final Set<String> KINDS =
      Set.of(
          EventKinds.REPLAY_STARTED,
          EventKinds.REPLAY_EVENT_REPLAYED,
          EventKinds.REPLAY_COMPLETED,
          EventKinds.REPLAY_FAILED);

  private final EventLog log;

  ReplayReports(EventLog log) {
    this.log = log;
  }

  /** Returns whether a report is one of these. They are of replays alone. */
  static boolean isOne(TaskChange change, EventReport report) {
    return change.task().hasReplay()
        && (KINDS.contains(report.getEvent())
            || (report.getEvent().equals(EventKinds.SESSION_REPLAYED) && isOfSession(change)));
  }

  private static boolean isOfSession(TaskChange change) {
    return change.task().getReplay().hasSourceSessionId();
  }

  /** Returns the event, which names the event of the origin that the replay has come to. */
  EventDraft draft(TaskChange change, EventReport report) {
    String origin =
        isOfSession(change)
            ? FreeFormJson.text(report.getPayload(), "source_task_id").orElse("")
            : change.task().getReplay().getOriginTaskId();
    EventDraft draft = draft(change, report, origin);
    return isOfSession(change) && draft.replay().isEmpty()
        ? draft.replaying(ReplayEventMetadata.newBuilder().setSourceTaskId(origin).build())
        : draft;
  }

  private EventDraft draft(TaskChange change, EventReport report, String origin) {
    EventDraft draft = new EventDraft(report.getEvent(), report.getPayload());
    OptionalLong reached =
        report.getEvent().equals(EventKinds.REPLAY_EVENT_REPLAYED)
            ? FreeFormJson.count(report.getPayload(), "to")
            : OptionalLong.empty();
    if (reached.isEmpty()) {
      return draft;
    }
    return log.taskEventId(
            change.write().tr(), change.write().tenant(), origin, reached.getAsLong())
        .map(
            id ->
                draft.replaying(
                    ReplayEventMetadata.newBuilder()
                        .setSourceTaskId(origin)
                        .setOriginalEventId(id.toString())
                        .build()))
        .orElse(draft);
  }
}
