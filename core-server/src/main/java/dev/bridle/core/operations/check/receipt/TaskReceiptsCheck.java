package dev.bridle.core.operations.check.receipt;

import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptIssuer;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.OwedReceiptRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * Checks that each ended task has the receipt that it is meant to have, or is owed one. Of tasks of
 * earlier releases nothing is expected.
 */
public final class TaskReceiptsCheck implements Check {
  /** Stands for the id of a receipt that is owed. */
  private static final String OWED = "owed";

  /** The object of the receipts of tasks themselves. */
  private static final String TASK = "task";

  /** The maximum number of a task's receipts that are looked at. */
  private static final int MANY = 1000;

  /** Adds to the proofs what a task's record calls for. */
  public static void expect(Proofs proofs, String tenant, TaskRecord record) {
    if (isProven(record)) {
      String receipt = record.getTask().getReceiptId();
      add(proofs, tenant, record.getTask().getId(), receipt.isEmpty() ? OWED : receipt, true);
    }
  }

  /** Adds to the proofs what a record shows of a task's receipt. */
  public static void see(Proofs proofs, String tenant, StoredRecord<?> record) {
    if (record.record() instanceof ReceiptRecord receipt
        && receipt.getSubjectObject().equals(TASK)) {
      add(proofs, tenant, receipt.getTaskId(), receipt.getId(), false);
    } else if (record.record() instanceof OwedReceiptRecord owed) {
      add(proofs, tenant, owed.getTaskId(), OWED, false);
    }
  }

  private static void add(
      Proofs proofs, String tenant, String task, String receipt, boolean expected) {
    long hash = Proofs.hash(tenant, task);
    long row = RowHash.of(hash).add(receipt).end();
    if (expected) {
      proofs.receipts().expect(hash, row);
    } else {
      proofs.receipts().see(hash, row);
    }
  }

  /** Returns whether a task has ended and is meant to have a receipt. */
  private static boolean isProven(TaskRecord record) {
    return TaskLifecycle.terminal(record.getTask().getStatus())
        && record.getFactsKept()
        && ReceiptIssuer.isWanted(record);
  }

  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().receipts().proveAll() && scope.proofs().records().proveAll()) {
      return;
    }
    scope.walk().step("receipts of the tasks of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        OwedReceipts.RECEIPT_OWED,
        (tr, id, owed) ->
            records
                    .find(tr, TaskStore.TASK, id)
                    .filter(task -> isProven(task) && task.getTask().getReceiptId().isEmpty())
                    .isPresent()
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.RECEIPT_WRONG,
                        scope.tenant(),
                        id,
                        "A receipt is owed to a task that has one, or gets none.")));
    if (!scope.proofs().receipts().proveAll()) {
      RowCheck.eachRecord(scope, TaskStore.TASK, (tr, id, task) -> check(scope, tr, task));
    }
  }

  private static Optional<Fault> check(CheckScope scope, ReadTransaction tr, TaskRecord task) {
    String id = task.getTask().getId();
    boolean proven = scope.proofs().receipts().proves(Proofs.hash(scope.tenant(), id));
    if (proven || !isProven(task) || isThere(scope, tr, task)) {
      return Optional.empty();
    }
    Fault fault =
        Fault.of(
            FaultKind.RECEIPT_MISSING,
            scope.tenant(),
            id,
            "The task has ended, but its receipt is neither there nor owed.");
    return Optional.of(
        isNowhere(scope, tr, task)
            ? fault.repairedBy(
                again -> !isThere(scope, again, task) && isNowhere(scope, again, task),
                again -> owe(scope, again, task))
            : fault);
  }

  /** Returns whether the task has no receipt at all, so that it gets only one if it is owed one. */
  private static boolean isNowhere(CheckScope scope, ReadTransaction tr, TaskRecord task) {
    return task.getTask().getReceiptId().isEmpty()
        && ReceiptStore.RECEIPT
            .store(scope.layout())
            .batch(
                tr,
                scope.tenant(),
                ReceiptStore.RECEIPTS_BY_TASK,
                task.getTask().getId(),
                Optional.empty(),
                MANY)
            .records()
            .stream()
            .noneMatch(receipt -> receipt.getSubjectObject().equals(TASK));
  }

  private static boolean isThere(CheckScope scope, ReadTransaction tr, TaskRecord task) {
    Records records = new Records(scope.rows(), scope.tenant());
    String receipt = task.getTask().getReceiptId();
    return receipt.isEmpty()
        ? records.exists(tr, OwedReceipts.RECEIPT_OWED, task.getTask().getId())
        : records
            .find(tr, ReceiptStore.RECEIPT, receipt)
            .filter(found -> found.getSubjectId().equals(task.getTask().getId()))
            .isPresent();
  }

  /** A server with a key issues it then. */
  private static void owe(CheckScope scope, Transaction tr, TaskRecord task) {
    OwedReceiptRecord owed =
        OwedReceiptRecord.newBuilder()
            .setTaskId(task.getTask().getId())
            .setSessionId(task.getTask().getSessionId())
            .build();
    OwedReceipts.RECEIPT_OWED
        .store(scope.layout())
        .insert(tr, scope.tenant(), owed.getTaskId(), owed);
  }
}
