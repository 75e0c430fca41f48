package dev.bridle.core.work.redaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventLinks;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.worker.v1.RecordedStep;
import java.util.ArrayList;
import java.util.List;

/**
 * What the events and steps of an ended task are about. Neither changes any more, so that they are
 * read in several transactions.
 *
 * @param events its events, in order
 * @param steps its steps
 */
record TaskContent(List<LinkedEvent> events, List<LinkedStep> steps) {
  private static final int EVENTS_AT_ONCE = 500;
  private static final int STEPS_AT_ONCE = 200;

  /**
   * An event.
   *
   * @param id its id
   * @param sequence its number in the task
   * @param terminal whether it ended the task
   * @param links what it is about
   */
  record LinkedEvent(EventId id, long sequence, boolean terminal, EventLinks links) {}

  /**
   * A step.
   *
   * @param key its key
   * @param sequence the number of its event; 0: unknown
   * @param message the message that it made or got; empty: none
   * @param artifact the artifact that it made; empty: none
   * @param permission the permission request that it opened; empty: none
   * @param asks whether it asked for a permission, of people or not
   */
  record LinkedStep(
      String key,
      long sequence,
      String message,
      String artifact,
      String permission,
      boolean asks) {}

  static TaskContent read(CoreContext context, String tenant, TaskRecord task) {
    return new TaskContent(
        events(context, tenant, task), steps(context, tenant, task.getTask().getId()));
  }

  private static List<LinkedEvent> events(CoreContext context, String tenant, TaskRecord task) {
    List<LinkedEvent> all = new ArrayList<>();
    String id = task.getTask().getId();
    String session = task.getTask().getSessionId();
    // Retention may have dropped the first ones.
    long from = 0;
    while (from < task.getNextSequence()) {
      long at = from;
      EventPage page =
          context
              .store()
              .read(
                  tr ->
                      context
                          .log()
                          .readTask(
                              tr, tenant, session, id, at, EVENTS_AT_ONCE, EventLog.PAGE_BYTES));
      for (StoredEvent stored : page.events()) {
        EventRecord event = event(stored);
        all.add(
            new LinkedEvent(
                stored.id(), event.getSequence(), event.getTerminal(), EventLinks.of(event)));
        from = event.getSequence() + 1;
      }
      if (page.events().isEmpty()) {
        break;
      }
    }
    return all;
  }

  private static List<LinkedStep> steps(CoreContext context, String tenant, String task) {
    StepStore store = new StepStore(context.layout());
    List<LinkedStep> all = new ArrayList<>();
    boolean more = true;
    while (more) {
      String after = all.isEmpty() ? "" : all.get(all.size() - 1).key();
      StepStore.Page page =
          context
              .store()
              .read(tr -> store.list(tr, tenant, task, after, STEPS_AT_ONCE, EventLog.PAGE_BYTES));
      page.records().forEach(record -> all.add(step(record)));
      more = page.more();
    }
    return all;
  }

  private static LinkedStep step(byte[] bytes) {
    StepRecord record = stepRecord(bytes);
    RecordedStep step = record.getStep();
    return new LinkedStep(
        step.getStepKey(),
        record.getSequence(),
        step.hasAnswer() ? step.getAnswer().getId() : step.getMessage().getId(),
        step.getArtifact().getId(),
        step.getPermission().getRequestId(),
        step.hasPermission());
  }

  static EventRecord event(StoredEvent stored) {
    try {
      return EventRecord.parseFrom(stored.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }

  static StepRecord stepRecord(byte[] bytes) {
    try {
      return StepRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored step is damaged", e);
    }
  }
}
