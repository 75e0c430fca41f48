package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.work.task.EndReceipts;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.proof.receipt.SignedReceipt;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.storage.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues receipts: builds, links, signs and stores them in the transaction that ends the task, so
 * that no task ends without its receipt and none gets two (protocol section "Receipt").
 */
public final class ReceiptIssuer implements EndReceipts {
  static final String ID_PREFIX = "receipt";

  private static final Logger log = LoggerFactory.getLogger(ReceiptIssuer.class);

  private static final String SUBJECT = "receipt";
  private static final Duration SETTLE = Duration.ofSeconds(60);

  private final ReceiptStore receipts;
  private final ReceiptKeys keys;
  private final TaskFactStore facts;
  private final Events events;
  private final OwedReceipts owed;
  private final String installation;

  /**
   * Creates the issuer.
   *
   * @param installation the id of this installation, which receipts name as their issuer
   */
  public ReceiptIssuer(
      CoreContext context, ReceiptKeys keys, OwedReceipts owed, String installation) {
    this.receipts = new ReceiptStore(context.layout());
    this.facts = new TaskFactStore(context.layout());
    this.events = context.events();
    this.keys = keys;
    this.owed = owed;
    this.installation = installation;
  }

  /** Returns whether a task gets a receipt: by its persona's policy, unless it was declined. */
  public static boolean isWanted(TaskRecordOrBuilder task) {
    return !task.getReceiptDeclined()
        && task.getPersona().getReceiptPolicy() != ReceiptPolicy.RECEIPT_POLICY_DISABLED;
  }

  /** Returns the id of this installation, which its receipts name as their issuer. */
  public String installation() {
    return installation;
  }

  /** Returns whether this server can sign. */
  public boolean canSign() {
    return keys.canSign();
  }

  @Override
  public Optional<String> announce(TaskChange change) {
    if (!canSign() || !isWanted(change.record())) {
      return Optional.empty();
    }
    // Before the work of the ending, which begins anew where the turn is another's.
    takeTurn(change.write(), change.task().getSessionId());
    return Optional.of(change.write().id(ID_PREFIX));
  }

  /** The endings of a session all change the end of its chain. */
  private static void takeTurn(Write write, String session) {
    write.takeTurn("receipts of " + session);
  }

  @Override
  public void issue(TaskChange change, OutcomeRecord outcome, Optional<String> receiptId) {
    if (receiptId.isPresent()) {
      store(change.write(), change.record(), outcome, change.newestCommitment(), receiptId.get());
    } else {
      owed.issue(change, outcome, receiptId);
    }
  }

  /** Issues owed receipts from now on, if this server can sign. */
  public void start(ScheduledExecutorService sweeps) {
    if (canSign()) {
      Periodic.everyFromNow(sweeps, SETTLE, "Issuing owed receipts", () -> owed.settleAll(this));
    }
  }

  /**
   * Stores the receipt of an ended task.
   *
   * @param terminal the commitment of its terminal event
   */
  void store(
      Write write,
      TaskRecordOrBuilder task,
      OutcomeRecord outcome,
      ByteString terminal,
      String receiptId) {
    ReceiptRecord stored =
        store(
            write,
            receiptId,
            sound(write, task, outcome, terminal),
            ReplayMembers.ofEvent(task.getTask()));
    task.getQuotaIdsList()
        .forEach(quota -> receipts.noteLast(write.tr(), write.tenant(), quota, stored.getId()));
  }

  /**
   * Returns the receipt of a task, or a minimal one where its facts do not fit the format: they are
   * checked when they come, so that is a defect of this server, which must not keep a task from
   * ending.
   */
  private ObjectNode sound(
      Write write, TaskRecordOrBuilder task, OutcomeRecord outcome, ByteString terminal) {
    String fault;
    try {
      List<TaskFactRecord> stored =
          task.getFactListsCount() == 0
              ? List.of()
              : facts.all(write.tr(), write.tenant(), task.getTask().getId());
      ObjectNode receipt =
          TaskReceipt.of(new Ended(write.tenant(), task, outcome, stored, terminal));
      Optional<String> found = ReceiptFormat.fault(receipt);
      if (found.isEmpty()) {
        return receipt;
      }
      fault = found.get();
    } catch (StoreException | CompletionException e) {
      throw e;
    } catch (RuntimeException e) {
      fault = e.getClass().getSimpleName();
    }
    log.error(
        "The receipt of task {} is a minimal one, since what was reported does not fit: {}",
        task.getTask().getId(),
        fault);
    return MinimalReceipt.of(write.tenant(), task);
  }

  /**
   * Completes a receipt with issuer, time, place in the session's chain, hash and signature, stores
   * it, and emits {@code receipt.issued}.
   *
   * @param receipt the receipt without these members
   */
  ReceiptRecord store(Write write, String receiptId, ObjectNode receipt) {
    return store(write, receiptId, receipt, Optional.empty());
  }

  private ReceiptRecord store(
      Write write, String receiptId, ObjectNode receipt, Optional<ReplayEventMetadata> replay) {
    String session = receipt.path("identifiers").path("session_id").asText();
    takeTurn(write, session);
    ReceiptKeys.Current key = keys.current(write.tr());
    Instant issuedAt = key.signsAt(write.nowMillis());
    receipt.put("schema", ReceiptSchema.MARKER).put("receipt_id", receiptId);
    receipt
        .putObject("issuer")
        .put("id", installation)
        .put("kind", "harness")
        .put("name", "Bridle")
        .put("version", Versions.SERVER)
        .put("public_key_id", key.id());
    receipt.put("issued_at", issuedAt.toString());
    Optional<ReceiptChainRecord> chain = receipts.chain(write.tr(), write.tenant(), session);
    int era = write.appender().era();
    ReceiptStore.head(chain).link(receipt, era);
    SignedReceipt signed = key.signer().sign(receipt);
    ReceiptRecord record =
        ReceiptRecord.newBuilder()
            .setId(receiptId)
            .setWorkspaceId(receipt.path("identifiers").path("workspace_ref").asText())
            .setSessionId(session)
            .setTaskId(receipt.path("identifiers").path("task_id").asText())
            .setSubjectObject(receipt.path("subject").path("object").asText())
            .setSubjectId(receipt.path("subject").path("id").asText())
            .setIssuedAt(issuedAt.toEpochMilli())
            .setIndex(ReceiptStore.head(chain).count())
            .setEra(era)
            .setHash(ByteString.copyFrom(signed.hash().bytes()))
            .setWire(UnsafeByteOperations.unsafeWrap(signed.bytes()))
            .build();
    receipts.append(write, record, chain, write.order());
    emitIssued(write, record, signed.hash().toString(), replay);
    return record;
  }

  /**
   * The event points at the receipt and takes no number of the task, whose last one came before.
   */
  private void emitIssued(
      Write write, ReceiptRecord record, String hash, Optional<ReplayEventMetadata> replay) {
    EventDraft issued =
        EventDraft.of(
            EventKinds.RECEIPT_ISSUED,
            Payload.of()
                .text("receipt_id", record.getId())
                .text("task_id", record.getTaskId())
                .text("subject_object", record.getSubjectObject())
                .text("subject_id", record.getSubjectId())
                .text("receipt_hash", hash)
                .number("index", record.getIndex()));
    var unused =
        events.ofResource(
            write,
            record.getWorkspaceId(),
            record.getSessionId(),
            SUBJECT,
            record.getId(),
            record.getSessionId(),
            replay.map(issued::replaying).orElse(issued));
  }
}
