package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.task.v1.Task;
import java.util.Optional;

/**
 * What the receipt of a task proves of its end and its log.
 *
 * @param receiptId the receipt
 * @param taskId the task
 * @param finalState how it ended, as receipts spell it
 * @param isReplay whether it was a replay
 * @param events the number of its events
 * @param logSha256 the digest of its log as receipts spell it; empty if the receipt does not prove
 *     it, as a minimal one
 */
public record ProvenEnd(
    String receiptId,
    String taskId,
    String finalState,
    boolean isReplay,
    long events,
    Optional<String> logSha256) {
  private static final String LOG = "bridle.log";

  /** Returns what a receipt proves; empty if it is not about a task as a whole. */
  public static Optional<ProvenEnd> of(Receipt receipt) {
    if (!receipt.subject().object().equals("task")) {
      return Optional.empty();
    }
    Optional<JsonNode> log = receipt.metadata(LOG);
    return Optional.of(
        new ProvenEnd(
            receipt.id(),
            receipt.subject().id(),
            receipt.finalState(),
            receipt.metadata(ReplayMembers.REPLAY).isPresent(),
            log.map(is -> is.path("events").asLong()).orElse(0L),
            log.map(is -> is.path("sha256").textValue())));
  }

  /** Returns whether a task ended as the receipt that it names says. */
  public boolean isOf(Task task) {
    return receiptId.equals(task.getReceiptId())
        && taskId.equals(task.getId())
        && isReplay == task.hasReplay()
        && finalState.equals(TaskReceipt.finalState(task.getStatus()));
  }

  /**
   * Returns whether a log is the one that the receipt proves.
   *
   * @param events the number of its events
   * @param digest their digest
   */
  public boolean isOfLog(long events, ByteString digest) {
    return this.events == events && logSha256.equals(Optional.of(Commitment.spell(digest)));
  }
}
