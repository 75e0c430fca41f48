package dev.bridle.core.operations.check.task;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;
import java.util.Optional;

/** A task knows whether it has steps, and its open question is one of them. */
final class StepsOfTaskCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;

  StepsOfTaskCheck(CheckScope scope) {
    this.scope = scope;
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    String id = task.getTask().getId();
    KeyRange steps = scope.rows().below(scope.tenant(), TenantSpace.STEP, id);
    boolean any = !tr.getRange(steps, 1).isEmpty();
    if (any != task.getHasSteps()) {
      faults.add(
          fault(
              id,
              any
                  ? "The task says that it has no steps, but some are recorded."
                  : "The task says that it has steps, but none is recorded."));
    }
    String question = task.getQuestionStepKey();
    if (!question.isEmpty() && !pending(tr, id, question)) {
      faults.add(
          fault(
              id,
              "The task waits for an answer to the step '"
                  + question
                  + "', which is no open question."));
    }
  }

  private boolean pending(ReadTransaction tr, String task, String key) {
    byte[] at = scope.rows().key(scope.tenant(), TenantSpace.STEP, task, key);
    return tr.get(at)
        .flatMap(first -> scope.rows().whole(tr, at, first))
        .flatMap(StepsOfTaskCheck::parse)
        .filter(record -> record.getStep().hasPending())
        .isPresent();
  }

  static Optional<StepRecord> parse(byte[] bytes) {
    try {
      return Optional.of(StepRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  private Fault fault(String task, String sentence) {
    return Fault.of(FaultKind.TASK_INCONSISTENT, scope.tenant(), task, sentence);
  }
}
