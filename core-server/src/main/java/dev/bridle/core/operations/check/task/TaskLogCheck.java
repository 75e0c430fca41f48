package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.log.TaskFold;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads and checks the events of a task by its pointers, in pieces. */
final class TaskLogCheck {
  /** The number of events that are read in one transaction. */
  static final int PIECE = 200;

  private final CheckScope scope;
  private final LogRows log;

  TaskLogCheck(CheckScope scope) {
    this.scope = scope;
    this.log = new LogRows(scope);
  }

  /** Reads the next events of a task, up to {@code limit}; returns whether more follow. */
  boolean read(ReadTransaction tr, TaskRecord task, Step step, int limit) {
    String id = task.getTask().getId();
    String stream = task.getTask().getSessionId();
    KeyRange all = scope.rows().eventKeys().taskEventRange(scope.tenant(), id);
    KeyRange rest = new KeyRange(log.pointer(id, step.fold.next()), all.end());
    List<KeyValue> pointers = tr.getRange(rest, limit);
    boolean ended = TaskLifecycle.terminal(task.getTask().getStatus());
    if (pointers.isEmpty() && step.fold.next() == 0 && ended && log.hasFloor(tr, stream)) {
      step.fold = TaskFold.allDropped(task);
      return false;
    }
    List<Read> reads = new ArrayList<>();
    for (KeyValue pointer : pointers) {
      Optional<RowKey> key = scope.rows().parse(pointer.key()).filter(KeyShapes::fits);
      Optional<EventId> event = scope.rows().eventId(pointer.value());
      key.ifPresent(
          k ->
              reads.add(
                  new Read(
                      k.number(1),
                      event,
                      event
                          .map(e -> tr.getAsync(log.body(stream, e)))
                          .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())))));
    }
    reads.forEach(read -> add(tr, id, stream, read, step));
    step.read += pointers.size();
    return pointers.size() == limit;
  }

  private void add(ReadTransaction tr, String task, String stream, Read read, Step step) {
    if (read.number() != step.fold.next()) {
      if (!dropped(tr, stream, step.fold)) {
        step.faults.add(
            fault(
                FaultKind.SEQUENCE_BROKEN,
                task,
                "The log of the task has no event number "
                    + step.fold.next()
                    + "; it goes on with "
                    + read.number()
                    + "."));
      }
      step.fold = step.fold.brokenUpTo(read.number());
    }
    Optional<EventRecord> event =
        read.body()
            .join()
            .flatMap(body -> log.parse(tr, log.body(stream, read.event().orElseThrow()), body));
    boolean own =
        event
            .filter(is -> is.getTaskId().equals(task) && is.getSequence() == read.number())
            .isPresent();
    if (!own) {
      boolean dropped = read.event().filter(is -> log.dropped(tr, stream, is)).isPresent();
      if (!dropped) {
        step.faults.add(
            fault(
                FaultKind.POINTER_WRONG,
                task,
                "The pointer to event number "
                    + read.number()
                    + " of the task names "
                    + read.event().map(EventId::toString).orElse("no event")
                    + ", which is "
                    + (event.isPresent() ? "another event." : "not there.")));
      }
      step.fold = step.fold.brokenUpTo(read.number() + 1);
      return;
    }
    if (step.fold
        .newest()
        .filter(is -> is.compareTo(read.event().orElseThrow()) >= 0)
        .isPresent()) {
      step.faults.add(
          fault(
              FaultKind.SEQUENCE_BROKEN,
              task,
              "Event number " + read.number() + " of the task sorts before the one before it."));
    }
    if (step.fold.ended()) {
      step.faults.add(
          fault(
              FaultKind.TASK_STATE_WRONG,
              task,
              "Event number " + read.number() + " of the task follows the one that ended it."));
    }
    step.fold = step.fold.plus(read.event().orElseThrow(), event.get());
  }

  /** Returns whether retention has dropped events of a task that were already read. */
  boolean overtaken(ReadTransaction tr, String stream, TaskFold known) {
    return known.newest().filter(newest -> log.dropped(tr, stream, newest)).isPresent();
  }

  /** Returns whether retention may have dropped the events right after those already read. */
  private boolean dropped(ReadTransaction tr, String stream, TaskFold known) {
    return known
        .newest()
        .map(newest -> log.dropped(tr, stream, newest))
        .orElseGet(() -> log.hasFloor(tr, stream));
  }

  private Fault fault(FaultKind kind, String task, String sentence) {
    return Fault.of(kind, scope.tenant(), task, sentence);
  }

  private record Read(
      long number, Optional<EventId> event, CompletableFuture<Optional<byte[]>> body) {}

  /** What one transaction has read of a task's log. */
  static final class Step {
    private TaskFold fold;
    private final List<Fault> faults = new ArrayList<>();
    private int read;

    Step(TaskFold fold) {
      this.fold = fold;
    }

    TaskFold fold() {
      return fold;
    }

    List<Fault> faults() {
      return faults;
    }

    /** Returns the number of events read. */
    int read() {
      return read;
    }
  }
}
