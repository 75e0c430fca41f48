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
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.OwedReceiptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StoredEvent;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receipts of tasks that ended where no signing key was at hand: after a restore, or on a server
 * without a master key. A server that has one issues them, at its start and now and then.
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
          .exported()
          .build();

  private static final String ACTOR = "bridle";
  private static final int AT_ONCE = 50;
  private static final Logger log = LoggerFactory.getLogger(OwedReceipts.class);

  private final KeyValueStore store;
  private final Installation installation;
  private final Commands commands;
  private final EventLog events;
  private final TaskStores stores;
  private final OutcomeStore outcomes;
  private final RecordStore<OwedReceiptRecord> owed;

  /** Creates the list of owed receipts. */
  public OwedReceipts(CoreContext context, TaskStores stores) {
    this.commands = context.commands();
    this.store = context.store();
    this.installation = context.installation();
    this.events = context.log();
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
            .build();
    owed.insert(write.tr(), write.tenant(), change.id(), record);
  }

  /** Issues all owed receipts of all tenants. Several servers may do so at once. */
  void settleAll(ReceiptIssuer issuer) {
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      settleAll(at, issuer);
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
  }

  private void settleAll(String tenant, ReceiptIssuer issuer) {
    String from = "";
    List<OwedReceiptRecord> page;
    do {
      String begin = from;
      page = store.read(tr -> owed.withPrefix(tr, tenant, "", begin, AT_ONCE));
      for (OwedReceiptRecord record : page) {
        from = record.getTaskId() + '\0';
        try {
          settle(tenant, record.getTaskId(), issuer);
        } catch (StoreException e) {
          throw e;
        } catch (RuntimeException e) {
          log.error(
              "The receipt of task {} can't be issued; it stays owed.", record.getTaskId(), e);
        }
      }
    } while (page.size() == AT_ONCE);
  }

  private void settle(String tenant, String taskId, ReceiptIssuer issuer) {
    commands.fenced(
        FencedWrite.ISSUE_RECEIPT,
        tenant,
        ACTOR,
        write -> {
          Optional<OwedReceiptRecord> found = owed.get(write.tr(), tenant, taskId);
          if (found.isPresent()) {
            owed.remove(write.tr(), tenant, taskId);
            stores
                .tasks()
                .find(write.tr(), tenant, taskId)
                .filter(OwedReceipts::isOwed)
                .ifPresent(task -> issue(write, task, issuer));
          }
          return found.isPresent();
        });
  }

  /** A task has one receipt, and that only once it has ended. */
  private static boolean isOwed(TaskRecord task) {
    return TaskLifecycle.terminal(task.getTask().getStatus())
        && task.getTask().getReceiptId().isEmpty();
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
        events.readTask(
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
