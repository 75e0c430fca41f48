package dev.bridle.core.operations.check.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verification;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/**
 * Checks each receipt by itself: that it verifies with the keys of this storage, that its record
 * says what it says, that its task names it, and that it has the digest of its task's log.
 */
public final class ReceiptsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    ReceiptVerifier verifier = scope.store().read(tr -> verifier(scope, tr));
    scope.walk().step("receipts of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        ReceiptStore.RECEIPT,
        (tr, id, record) -> {
          String wrong = wrong(tr, records, verifier, record);
          if (!wrong.isEmpty()) {
            // A key may have been made since the check of receipts began.
            wrong = wrong(tr, records, verifier(scope, tr), record);
          }
          return wrong.isEmpty()
              ? Optional.empty()
              : Optional.of(Fault.of(FaultKind.RECEIPT_WRONG, scope.tenant(), id, wrong));
        });
  }

  private static ReceiptVerifier verifier(CheckScope scope, ReadTransaction tr) {
    return new ReceiptVerifier(
        Trust.of(ReceiptKeys.undisputed(ReceiptKeys.known(tr, scope.layout(), scope.tenant()))));
  }

  private static String wrong(
      ReadTransaction tr, Records records, ReceiptVerifier verifier, ReceiptRecord record) {
    Verification verification = verifier.verify(record.getWire().toByteArray());
    Optional<CheckResult> failure = verification.failure();
    if (failure.isPresent()) {
      return "The receipt does not verify: " + failure.get() + ".";
    }
    Receipt receipt = verification.receipt().orElseThrow();
    if (!ReceiptStore.saysTheSame(record, receipt)) {
      return "The receipt's record does not say what the receipt says.";
    }
    boolean linked =
        records
            .find(tr, ReceiptStore.RECEIPT_CHAIN, record.getSessionId())
            .map(ReceiptChainRecord::getCount)
            .filter(count -> record.getIndex() < count)
            .isPresent();
    if (!linked) {
      return "The receipt is in no chain.";
    }
    Optional<TaskRecord> task = records.find(tr, TaskStore.TASK, record.getTaskId());
    return record.getSubjectObject().equals("task") && task.isPresent()
        ? wrong(record, receipt, task.get())
        : "";
  }

  private static String wrong(ReceiptRecord record, Receipt receipt, TaskRecord task) {
    if (!task.getTask().getReceiptId().equals(record.getId())) {
      return "The receipt's task names another receipt, or none.";
    }
    String digest =
        Commitment.spell(ByteString.copyFrom(LogDigest.finish(task.getLogDigestState())));
    String proven = receipt.metadata("bridle.log").map(log -> text(log, "sha256")).orElse("");
    boolean minimal = receipt.metadata("bridle.minimal").isPresent();
    return minimal || digest.equals(proven)
        ? ""
        : "The receipt proves another log than its task's.";
  }

  private static String text(JsonNode node, String member) {
    return node.path(member).asText();
  }
}
