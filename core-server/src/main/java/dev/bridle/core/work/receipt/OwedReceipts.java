package dev.bridle.core.work.receipt;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.EndReceipts;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.OwedReceiptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StoredEvent;
import java.util.List;
import java.util.Optional;

/**
 * Receipts of tasks that ended where no signing key was at hand: after a restore, or on a server
 * without a master key. A server that has one issues them, which any process's sweeper may call.
 *
 * <pre>
 * tenant / RECORD / RECEIPT_OWED, task → OwedReceiptRecord
 * </pre>
 */
public final class OwedReceipts implements EndReceipts {
  /** The definition of owed receipts. */
  public static final RecordDef<OwedReceiptRecord> RECEIPT_OWED =
      RecordDef.of(93, "owed receipt", OwedReceiptRecord.parser())
          .id(OwedReceiptRecord::getTaskId)
          .besides("task")
          .alwaysDue(DueKind.RECEIPT, OwedReceiptRecord::getDueAt)
          .exported()
          .build();

  private static final String ACTOR = "bridle";
  private static final long RETRY_MILLIS = 60_000;

  private final Commands commands;
  private final EventLog log;
  private final DueIndex due;
  private final TaskStores stores;
  private final OutcomeStore outcomes;
  private final RecordStore<OwedReceiptRecord> owed;

  /** Creates the list of owed receipts. */
  public OwedReceipts(CoreContext context, TaskStores stores) {
    this.commands = context.commands();
    this.log = context.log();
    this.due = context.due();
    this.stores = stores;
    this.outcomes = new OutcomeStore(context.layout());
    this.owed = RECEIPT_OWED.store(context.layout());
  }

  /** No task that ends gets its receipt now. */
  @Override
  public Optional<String> announce(TaskChange change) {
    return Optional.empty();
  }

  @Override
  public void issue(TaskChange change, OutcomeRecord outcome, Optional<String> receiptId) {
    if (!ReceiptIssuer.isWanted(change.record())) {
      return;
    }
    Write write = change.write();
    OwedReceiptRecord record =
        OwedReceiptRecord.newBuilder()
            .setTaskId(change.id())
            .setSessionId(change.task().getSessionId())
            .setDueAt(write.nowMillis())
            .build();
    owed.insert(write.tr(), write.tenant(), change.id(), record);
    RECEIPT_OWED.schedule(due, write.tr(), write.tenant(), record);
  }

  /** Issues the receipt of a due entry, or puts it off where there is no key here either. */
  void settle(DueEntry entry, ReceiptIssuer issuer) {
    commands.fenced(
        FencedWrite.ISSUE_RECEIPT,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<OwedReceiptRecord> found =
              owed.get(write.tr(), entry.tenant(), entry.id())
                  .filter(record -> RECEIPT_OWED.isDue(record, entry));
          due.cancel(write.tr(), entry);
          found.ifPresent(record -> settle(write, record, issuer));
          return found.isPresent();
        });
  }

  private void settle(Write write, OwedReceiptRecord record, ReceiptIssuer issuer) {
    if (!issuer.canSign()) {
      OwedReceiptRecord later =
          record.toBuilder().setDueAt(write.nowMillis() + RETRY_MILLIS).build();
      owed.update(write.tr(), write.tenant(), record.getTaskId(), record, later);
      RECEIPT_OWED.schedule(due, write.tr(), write.tenant(), later);
      return;
    }
    owed.remove(write.tr(), write.tenant(), record.getTaskId());
    Optional<TaskRecord> task = stores.tasks().find(write.tr(), write.tenant(), record.getTaskId());
    if (task.isPresent()) {
      issue(write, task.get(), issuer);
    }
  }

  private void issue(Write write, TaskRecord task, ReceiptIssuer issuer) {
    String outcomeId = task.getTask().getOutcomeId();
    OutcomeRecord outcome =
        outcomes
            .records()
            .get(write.tr(), write.tenant(), outcomeId)
            .orElseThrow(() -> new IllegalStateException("an ended task has no outcome"));
    String receipt = write.id(ReceiptIssuer.ID_PREFIX);
    TaskChange change = stores.change(write, task);
    change.nameReceipt(receipt);
    issuer.store(write, change.record(), outcome, terminal(write, task), receipt);
    change.save();
    outcomes
        .records()
        .update(
            write.tr(),
            write.tenant(),
            outcomeId,
            outcome,
            outcome.toBuilder()
                .setOutcome(outcome.getOutcome().toBuilder().setReceiptId(receipt))
                .build());
  }

  /** Returns the commitment of a task's terminal event; empty once retention has dropped it. */
  private ByteString terminal(Write write, TaskRecord task) {
    List<StoredEvent> last =
        log.readTask(
            write.tr(),
            write.tenant(),
            task.getTask().getSessionId(),
            task.getTask().getId(),
            task.getNextSequence() - 1,
            1);
    try {
      return last.isEmpty()
          ? ByteString.EMPTY
          : EventRecord.parseFrom(last.get(0).body()).getCommitment();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }
}
