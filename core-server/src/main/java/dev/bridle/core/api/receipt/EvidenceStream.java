package dev.bridle.core.api.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.enforcer.PermissionArtifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogEvidence;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.permission.ApprovalEvidence;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.receipt.v1.ReceiptExportPiece;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StoredEvent;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Streams what proves the approvals of a receipt with back-pressure: what all bundles begin with
 * and the receipt, then one approval after the other, then the task's log by pages, then how far
 * the receipt's chain reaches, and the signed end.
 */
final class EvidenceStream {
  /** The events whose payload says what became of an approval. */
  private static final Set<String> SHOWN =
      Set.of(
          EventKinds.PERMISSION_USED, EventKinds.PERMISSION_CHANGED, EventKinds.ACTED_DIFFERENTLY);

  private static final int EVENTS_AT_ONCE = 200;

  private final CoreContext context;
  private final ReceiptStore receipts;
  private final SignedLines signed;
  private final Caller caller;
  private final ReceiptRecord record;
  private final JsonNode receipt;
  private final PermissionStore permissions;
  private final Deque<Supplier<ByteString>> rest = new ArrayDeque<>();
  private final ServerCallStreamObserver<ReceiptExportPiece> call;
  private boolean ended;
  private long nextEvent;

  EvidenceStream(
      CoreContext context,
      ReceiptStore receipts,
      SignedLines signed,
      Caller caller,
      ReceiptRecord record,
      ServerCallStreamObserver<ReceiptExportPiece> call) {
    this.context = context;
    this.receipts = receipts;
    this.signed = signed;
    this.caller = caller;
    this.record = record;
    this.receipt = StrictJson.parse(record.getWire().toByteArray());
    this.permissions = new PermissionStore(context.layout());
    this.call = call;
    signed.countReceipt();
    rest.add(this::begin);
    receipt
        .path("approvals")
        .forEach(approval -> rest.add(() -> ofApproval(approval.path("approval_id").asText())));
  }

  /** Sends while the call is ready. Called again whenever it becomes ready. */
  void pump() {
    while (!ended && !call.isCancelled() && call.isReady()) {
      if (rest.isEmpty()) {
        sendLog();
      } else {
        send(rest.remove().get());
      }
    }
  }

  private ByteString begin() {
    ObjectNode header =
        BundleLines.header(context, caller, "bridle.evidence/2").put("receipt", record.getId());
    ArrayNode leftOut = header.putArray("left_out");
    if (!seesArtifacts()) {
      leftOut.add("artifact").add("reason");
    }
    if (!seesLog()) {
      leftOut.add("event");
    }
    return BundleLines.bytes(header)
        .concat(BundleLines.keys(context, caller))
        .concat(BundleLines.of("receipt", receipt));
  }

  private boolean seesArtifacts() {
    return caller.holds("permissions:read");
  }

  private boolean seesLog() {
    return caller.holds("events:read");
  }

  /** Returns the evidence of an approval; what was shown comes after it, piece by piece. */
  private ByteString ofApproval(String id) {
    Optional<PermissionRequest> stored =
        context.store().read(tr -> permissions.findRequest(tr, caller, id));
    Optional<ObjectNode> evidence = stored.flatMap(ApprovalEvidence::of);
    if (evidence.isEmpty()) {
      return ByteString.EMPTY;
    }
    List<PermissionAnswer> answers = stored.get().getResponse().getAnswersList();
    for (int last = answers.size() - 1; last >= 0; last--) {
      if (answers.get(last).hasEvidence()) {
        DecisionEvidence signed = answers.get(last).getEvidence();
        Optional<String> reason =
            Optional.of(answers.get(last).getReason()).filter(text -> !text.isEmpty());
        rest.addFirst(() -> ofAnswer(signed, stored.get()).concat(ofReason(signed, reason)));
      }
    }
    return BundleLines.of("evidence", evidence.get());
  }

  private ByteString ofAnswer(DecisionEvidence evidence, PermissionRequest request) {
    ByteString shown =
        seesArtifacts()
            ? PermissionArtifact.shown(evidence, request)
                .map(artifact -> BundleLines.of("artifact", artifact))
                .orElse(ByteString.EMPTY)
            : ByteString.EMPTY;
    return shown.concat(
        device(evidence.getApprovalDeviceId())
            .filter(ApprovalDevice::hasRevokedAt)
            .map(EvidenceStream::revocation)
            .orElse(ByteString.EMPTY));
  }

  /** Returns the reason that is signed, where the caller may see it and it was not erased. */
  private ByteString ofReason(DecisionEvidence evidence, Optional<String> reason) {
    if (reason.isEmpty() || !evidence.hasReasonSalt() || !seesArtifacts()) {
      return ByteString.EMPTY;
    }
    return BundleLines.of(
        "reason",
        BundleLines.node()
            .put("request_id", evidence.getRequestId())
            .put("reason", reason.get())
            .put("salt", evidence.getReasonSalt()));
  }

  private Optional<ApprovalDevice> device(String id) {
    return context
        .store()
        .read(tr -> ApprovalDevices.find(context.configurations().of(tr, caller.tenant()), id));
  }

  /** What the evidence can't have, since it came later. */
  private static ByteString revocation(ApprovalDevice device) {
    ObjectNode revocation =
        BundleLines.node()
            .put("approval_device_id", device.getId())
            .put(
                "revoked_at",
                Instant.ofEpochMilli(Timestamps.toMillis(device.getRevokedAt())).toString());
    return BundleLines.of("revocation", revocation);
  }

  private void sendLog() {
    long events = receipt.path("metadata").path("bridle.log").path("events").asLong();
    List<StoredEvent> page =
        seesLog() && nextEvent < events
            ? context
                .store()
                .read(
                    tr ->
                        context
                            .log()
                            .readTask(
                                tr,
                                caller.tenant(),
                                record.getSessionId(),
                                record.getTaskId(),
                                nextEvent,
                                EVENTS_AT_ONCE,
                                EventLog.PAGE_BYTES))
                .events()
            : List.of();
    ByteString lines = ByteString.EMPTY;
    for (StoredEvent stored : page) {
      ObjectNode event = LogEvidence.members(stored, SHOWN::contains);
      nextEvent = event.get("sequence").longValue() + 1;
      if (nextEvent <= events) {
        lines = lines.concat(BundleLines.of("event", event));
      }
    }
    send(lines);
    if (page.isEmpty()) {
      ended = true;
      send(chain());
      send(signed.end());
      call.onCompleted();
    }
  }

  private ByteString chain() {
    Optional<ReceiptChainRecord> chain =
        context.store().read(tr -> receipts.chain(tr, caller.tenant(), record.getSessionId()));
    Optional<Sha256> first =
        context.store().read(this::first).map(one -> ReceiptStore.hash(one.getHash()));
    return chain.map(end -> signed.chain(end, first, record.getEra())).orElse(ByteString.EMPTY);
  }

  private Optional<ReceiptRecord> first(ReadTransaction tr) {
    return receipts
        .records()
        .batch(
            tr, caller.tenant(), RecordDef.BY_SESSION, record.getSessionId(), Optional.empty(), 1)
        .records()
        .stream()
        .findFirst();
  }

  private void send(ByteString lines) {
    if (!lines.isEmpty()) {
      signed.sent(lines);
      call.onNext(ReceiptExportPiece.newBuilder().setData(lines).build());
    }
  }
}
