package dev.bridle.core.work.receipt;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactList;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import java.util.List;
import java.util.Optional;

/**
 * An ended task with all that its receipt is made from.
 *
 * @param tenant the tenant
 * @param task the task's record in its terminal state
 * @param outcome its outcome
 * @param facts its stored facts
 * @param terminal the commitment of its terminal event; empty if that is no longer known
 */
record Ended(
    String tenant,
    TaskRecordOrBuilder task,
    OutcomeRecord outcome,
    List<TaskFactRecord> facts,
    ByteString terminal) {
  /** Copies the facts. */
  Ended {
    facts = List.copyOf(facts);
  }

  /** Returns the stored facts of a list, in their order. */
  List<TaskFactRecord> facts(TaskFactKind kind) {
    return facts.stream().filter(fact -> fact.getKind() == kind).toList();
  }

  /** Returns length and hash of a list; empty if it has no facts. */
  Optional<TaskFactList> list(TaskFactKind kind) {
    return task.getFactListsList().stream().filter(list -> list.getKind() == kind).findFirst();
  }

  /** Returns whether it is a replay that has computed values anew, of which nothing is counted. */
  boolean computesAnew() {
    return task.getTask().getReplay().getRefreshKeysCount() > 0;
  }

  /** Returns whether all facts of a list are stored. */
  boolean hasAll(TaskFactKind kind) {
    return list(kind).map(list -> list.getCount() == facts(kind).size()).orElse(true);
  }
}
