package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskTotals;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.Rows;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Follows the events of one stream after another in their order, and adds to the proofs which state
 * its tasks, counters and newest event must have. Memory is bounded: what it forgets stays
 * unproven.
 */
public final class EventFolds {
  /** The maximum number of unfinished tasks of a stream in memory, and of other resources. */
  private static final int LIMIT = 20_000;

  private final Rows rows;
  private final Proofs proofs;
  private final Map<String, TaskFold> tasks = new HashMap<>();
  private final Map<StreamFold.Resource, Long> next = new HashMap<>();
  private String tenant = "";
  private String stream = "";
  private Optional<EventId> newest = Optional.empty();

  public EventFolds(Rows rows, Proofs proofs) {
    this.rows = rows;
    this.proofs = proofs;
  }

  /** Adds the next event, which has been parsed. */
  public void add(String ofTenant, String ofStream, EventId id, EventRecord event) {
    if (!stream.equals(ofStream) || !tenant.equals(ofTenant)) {
      end();
      tenant = ofTenant;
      stream = ofStream;
    }
    newest = Optional.of(id);
    if (EventCheck.ofTask(event)) {
      ofTask(id, event);
    } else {
      ofOther(event);
    }
  }

  private void ofTask(EventId id, EventRecord event) {
    String task = event.getTaskId();
    TaskFold before = tasks.remove(task);
    if (before == null && event.getSequence() == 0) {
      before = TaskFold.EMPTY;
    }
    if (before == null || before.next() != event.getSequence() || tasks.size() == LIMIT) {
      proofs.tasks().doubt(Proofs.hash(tenant, task));
      return;
    }
    TaskFold after = before.plus(id, event);
    if (after.ended()) {
      settle(task, after);
    } else {
      tasks.put(task, after);
    }
  }

  private void settle(String task, TaskFold fold) {
    long hash = Proofs.hash(tenant, task);
    long state =
        RowHash.of(hash)
            .add(stream)
            .add(fold.next())
            .add(fold.digest().toByteArray())
            .add(hash(fold.totals()))
            .add(fold.status().map(status -> status.getNumber()).orElse(-1))
            .add(fold.ended() ? 1 : 0)
            .end();
    proofs.tasks().see(hash, state);
  }

  /** Returns the hash of the state that a task's record says its events have. */
  public static long state(long hash, TaskRecord record) {
    return RowHash.of(hash)
        .add(record.getTask().getSessionId())
        .add(record.getNextSequence())
        .add(record.getLogDigestState().toByteArray())
        .add(hash(record.getTotals()))
        .add(record.getTask().getStatusValue())
        .add(TaskLifecycle.terminal(record.getTask().getStatus()) ? 1 : 0)
        .end();
  }

  private static long hash(TaskTotals totals) {
    return RowHash.of(totals.getEvents())
        .add(totals.getMessages())
        .add(totals.getArtifacts())
        .add(totals.getDependencies())
        .end();
  }

  private void ofOther(EventRecord event) {
    StreamFold.Resource resource =
        new StreamFold.Resource(event.getResourceObject(), event.getResourceId());
    long expected = next.getOrDefault(resource, 0L);
    if (event.getSequence() != expected || next.size() == LIMIT) {
      proofs.events().doubt(Proofs.hash(tenant, stream));
      next.remove(resource);
      return;
    }
    next.put(resource, expected + 1);
  }

  /** Ends the last stream. */
  public void end() {
    tasks.forEach(this::settle);
    tasks.clear();
    next.forEach(
        (resource, number) -> {
          long hash = Proofs.resource(tenant, resource.object(), resource.id());
          proofs.counters().expect(hash, RowHash.of(hash).add(number).end());
        });
    next.clear();
    newest.ifPresent(
        id -> {
          long hash = Proofs.hash(tenant, stream);
          proofs.newest().expect(hash, RowHash.of(hash).add(rows.value(id)).end());
        });
    newest = Optional.empty();
  }
}
