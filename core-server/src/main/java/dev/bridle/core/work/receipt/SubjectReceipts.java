package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.permission.ApprovalFacts;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.SubjectReceiptRecord;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.RecordStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Issues receipts of approvals and artifacts, each once, when somebody asks for them. They are
 * links of the chain of their task's session.
 */
public final class SubjectReceipts {
  /** The definition of the receipts of subjects, by object and id. */
  public static final RecordDef<SubjectReceiptRecord> SUBJECT_RECEIPT =
      RecordDef.of(96, "receipt of a subject", SubjectReceiptRecord.parser())
          .id(record -> id(record.getSubjectObject(), record.getSubjectId()))
          .refersTo("receipt", SubjectReceiptRecord::getReceiptId)
          .exported()
          .build();

  private static final String APPROVAL = "approval";
  private static final String ARTIFACT = "artifact";

  private final ReceiptStore receipts;
  private final ReceiptIssuer issuer;
  private final TaskStore tasks;
  private final TaskFactStore facts;
  private final RecordStore<SubjectReceiptRecord> issued;

  public SubjectReceipts(CoreContext context, ReceiptIssuer issuer) {
    this.receipts = new ReceiptStore(context.layout());
    this.issuer = issuer;
    this.tasks = new TaskStore(context.layout());
    this.facts = new TaskFactStore(context.layout());
    this.issued = SUBJECT_RECEIPT.store(context.layout());
  }

  /**
   * Returns the receipt of a permission request's decision; issues it if there is none.
   *
   * @throws ProtocolException {@code conflict} while the request is pending, {@code
   *     policy_violation} where it belongs to no task or this server can't sign
   */
  public ReceiptRecord ofApproval(Write write, Caller caller, PermissionRequest request) {
    if (request.getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          "The permission request is pending; it gets a receipt once it is closed.");
    }
    return find(write, APPROVAL, request.getId()).orElseGet(() -> issue(write, caller, request));
  }

  private ReceiptRecord issue(Write write, Caller caller, PermissionRequest request) {
    ObjectNode receipt = begin(write, caller, request.getTaskId(), APPROVAL, request.getId());
    Timestamp decided = request.getResponse().getDecidedAt();
    ObjectNode part =
        kept(write, request)
            .orElseGet(() -> ApprovalFacts.part(request, Timestamps.toMillis(decided)));
    receipt.putArray("approvals").add(part);
    if (!part.has("evidence_hash")) {
      receipt
          .withObjectProperty("metadata")
          .withArrayProperty("bridle.not_reported")
          .add("/approvals/0/evidence_hash");
    }
    boolean timedOut =
        request.getResponse().getReason() == PermissionReason.PERMISSION_REASON_TIMED_OUT;
    boolean expired = request.getStatus() == PermissionStatus.PERMISSION_STATUS_EXPIRED;
    receipt.set(
        "lifecycle",
        lifecycle(
            request.getCreatedAt(),
            decided,
            expired ? timedOut ? "FAILED" : "CANCELED" : "SUCCEEDED"));
    return store(write, APPROVAL, request.getId(), receipt);
  }

  /** Returns the fact of a decision, which has the commitment of its event. */
  private Optional<ObjectNode> kept(Write write, PermissionRequest request) {
    return facts.all(write.tr(), write.tenant(), request.getTaskId()).stream()
        .filter(fact -> fact.getKind() == TaskFactKind.TASK_FACT_KIND_APPROVAL)
        .map(Fragments::of)
        .filter(part -> part.path("approval_id").asText().equals(request.getId()))
        .findFirst();
  }

  /**
   * Returns the receipt of an artifact; issues it if there is none.
   *
   * @param artifact an artifact with content
   * @throws ProtocolException {@code policy_violation} where it is not public, belongs to no task,
   *     or this server can't sign
   */
  public ReceiptRecord ofArtifact(Write write, Caller caller, Artifact artifact) {
    if (!HiddenContent.isPublic(artifact.getVisibility())) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "The artifact is not public: a receipt would have nothing that proves it.");
    }
    return find(write, ARTIFACT, artifact.getId()).orElseGet(() -> issue(write, caller, artifact));
  }

  private ReceiptRecord issue(Write write, Caller caller, Artifact artifact) {
    ObjectNode receipt = begin(write, caller, artifact.getTaskId(), ARTIFACT, artifact.getId());
    receipt
        .putArray("final_artifacts")
        .add(StrictJson.parse(ArtifactStore.receiptPart(artifact, true).toByteArray()));
    receipt.set(
        "lifecycle", lifecycle(artifact.getCreatedAt(), artifact.getUpdatedAt(), "SUCCEEDED"));
    return store(write, ARTIFACT, artifact.getId(), receipt);
  }

  private Optional<ReceiptRecord> find(Write write, String object, String id) {
    return issued
        .get(write.tr(), write.tenant(), id(object, id))
        .flatMap(
            record -> receipts.records().get(write.tr(), write.tenant(), record.getReceiptId()));
  }

  /** Returns a receipt with what it has of its task, and nothing of what the task did. */
  private ObjectNode begin(Write write, Caller caller, String taskId, String object, String id) {
    if (taskId.isEmpty()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "It belongs to no task, and the format of receipts needs one.");
    }
    if (!issuer.canSign()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "This server can't sign receipts: it has no master key.");
    }
    TaskRecord task = tasks.need(write.tr(), caller, taskId);
    ObjectNode receipt =
        TaskReceipt.of(
            new Ended(
                write.tenant(),
                task,
                OutcomeRecord.getDefaultInstance(),
                List.of(),
                ByteString.EMPTY));
    receipt.putObject("subject").put("object", object).put("id", id);
    receipt.putArray("approvals");
    receipt.putObject("autonomy_budget").putObject("consumed");
    ObjectNode replay = receipt.putObject("replay_input").put("determinism", "unavailable");
    replay.putArray("materials");
    replay.put("unavailable_reason", "the subject is no run");
    ObjectNode route = receipt.putObject("model_route");
    route.putObject("chosen_model").put("provider", "none").put("model", "none");
    route.putArray("alternatives_considered");
    route.put("route_policy_reason", "the subject is no run");
    ObjectNode cost = receipt.putObject("cost").put("currency", "XXX").put("total", 0);
    cost.putArray("provider_breakdown");
    ObjectNode effects = receipt.putObject("side_effects");
    List.of("fs_writes", "network_egress", "tool_calls", "a2a_handoffs").forEach(effects::putArray);
    receipt.putArray("final_artifacts");
    receipt.putArray("redactions");
    ObjectNode metadata = receipt.putObject("metadata");
    metadata.putArray("bridle.not_reported");
    if (task.hasImported()) {
      metadata.set(TaskReceipt.IMPORTED, TaskReceipt.imported(task.getImported()));
    }
    return receipt;
  }

  private static ObjectNode lifecycle(Timestamp began, Timestamp ended, String state) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("created_at", time(began))
        .put("started_at", time(began))
        .put("completed_at", time(ended))
        .put("final_state", state)
        .putNull("failure");
  }

  private ReceiptRecord store(Write write, String object, String id, ObjectNode receipt) {
    ReceiptRecord record = issuer.store(write, write.id(ReceiptIssuer.ID_PREFIX), receipt);
    issued.insert(
        write.tr(),
        write.tenant(),
        id(object, id),
        SubjectReceiptRecord.newBuilder()
            .setSubjectObject(object)
            .setSubjectId(id)
            .setReceiptId(record.getId())
            .build());
    return record;
  }

  private static String time(Timestamp at) {
    return Instant.ofEpochMilli(Timestamps.toMillis(at)).toString();
  }

  /** Returns the id under which the receipt of a subject is noted. */
  public static String idOf(ReceiptRecord receipt) {
    return id(receipt.getSubjectObject(), receipt.getSubjectId());
  }

  private static String id(String object, String id) {
    return object + '/' + id;
  }
}
