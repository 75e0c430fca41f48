package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequestOrBuilder;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.TaskFactKind;
import java.time.Instant;
import java.util.List;

/**
 * Adds decisions about actions to the facts for a task's receipt. Each names the commitment of the
 * event that decided it, which is the newest event of the change, and those that devices have
 * signed the hash of their evidence.
 */
public final class ApprovalFacts {
  /** The actor of decisions that no person made. */
  private static final String BRIDLE = "bridle";

  /** What stands for an answer by a credential: nobody but this server can say who gave it. */
  private static final String HARNESS = "harness";

  /** What stands for answers that devices have signed, which anybody can verify. */
  private static final String DEVICES = "devices";

  private static final String EVIDENCE = "evidence_hash";

  private ApprovalFacts() {}

  /** Adds a request that was just closed. */
  static void closed(TaskChange change, PermissionRequestOrBuilder request) {
    ObjectNode part = part(request, change.write().nowMillis());
    String event = Commitment.spell(change.newestCommitment());
    if (part.has(EVIDENCE)) {
      part.withObjectProperty("quorum_proof").put("event", event);
    } else {
      part.put(EVIDENCE, event);
    }
    add(change, part);
  }

  /**
   * Returns what a receipt has of a closed request.
   *
   * @param decidedAt when it was closed, in Unix milliseconds
   */
  public static ObjectNode part(PermissionRequestOrBuilder request, long decidedAt) {
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    boolean decided =
        switch (request.getStatus()) {
          case PERMISSION_STATUS_APPROVED, PERMISSION_STATUS_DENIED -> true;
          default -> false;
        };
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("approval_id", request.getId())
            .put(
                "actor",
                decided && !answers.isEmpty() ? answers.get(answers.size() - 1).getActor() : BRIDLE)
            .put("action", request.getAction().getKind())
            .put("decision", decision(request))
            .put("decided_at", time(decidedAt));
    ObjectNode quorum = part.putObject("quorum_proof");
    quorum.put("required", required(request));
    quorum.put("approved", answers.stream().filter(PermissionAnswer::getApproved).count());
    quorum.put("denied", answers.stream().filter(answer -> !answer.getApproved()).count());
    if (request.getAction().hasNotExact()) {
      quorum.put("not_exact", true);
    }
    if (PermissionStore.isModified(request)) {
      quorum.put("modified", true); // The event of the evidence says what was approved instead.
    }
    if (answers.stream().anyMatch(PermissionAnswer::getSelfAnswered)) {
      quorum.put("self_answered", true); // The actor of the worker that asks; nobody else could.
    }
    ArrayNode actors = quorum.putArray("actors");
    answers.stream().map(PermissionAnswer::getActor).distinct().forEach(actors::add);
    List<String> channels =
        answers.stream()
            .filter(PermissionAnswer::hasChannel)
            .map(answer -> Requirements.spell(answer.getChannel()))
            .distinct()
            .toList();
    if (!channels.isEmpty()) {
      channels.forEach(quorum.putArray("channels")::add);
      quorum.put(
          "attested_by",
          answers.stream().allMatch(PermissionAnswer::hasEvidence) ? DEVICES : HARNESS);
    }
    if (request.getRequest().hasPolicy()) {
      quorum.put("rule_hash", ActionHashes.rules(request.getRequest().getPolicy()));
    }
    ApprovalEvidence.of(request)
        .ifPresent(evidence -> part.put(EVIDENCE, ApprovalEvidence.hash(evidence)));
    return part;
  }

  /** Returns how many approvals were required. */
  static int required(PermissionRequestOrBuilder request) {
    return Math.max(1, request.getRequest().getApproversRequired());
  }

  /** Adds the use of a standing grant. */
  static void used(TaskChange change, PermissionAction action, PermissionGrant grant) {
    List<String> granters = grant.getGrantedByList();
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("approval_id", grant.getId())
            .put("actor", granters.isEmpty() ? BRIDLE : granters.get(granters.size() - 1))
            .put("action", action.getKind())
            .put("decision", "approved")
            .put("decided_at", time(change.write().nowMillis()))
            .put(EVIDENCE, Commitment.spell(change.newestCommitment()));
    ObjectNode quorum = part.putObject("quorum_proof").put("grant_id", grant.getId());
    ArrayNode actors = quorum.putArray("actors");
    granters.forEach(actors::add);
    add(change, part);
  }

  /** Returns how a receipt spells what was decided. */
  static String decision(PermissionRequestOrBuilder request) {
    return switch (request.getStatus()) {
      case PERMISSION_STATUS_APPROVED -> "approved";
      case PERMISSION_STATUS_DENIED -> "denied";
      default ->
          request.getResponse().getReason() == PermissionReason.PERMISSION_REASON_TIMED_OUT
              ? "timeout"
              : "canceled";
    };
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static void add(TaskChange change, ObjectNode part) {
    change
        .facts()
        .add(
            TaskFactKind.TASK_FACT_KIND_APPROVAL,
            UnsafeByteOperations.unsafeWrap(CanonicalJson.bytes(part)),
            ByteString.EMPTY);
  }
}
