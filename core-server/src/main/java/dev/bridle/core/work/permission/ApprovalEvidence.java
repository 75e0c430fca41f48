package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionRequestOrBuilder;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The evidence of an approval that devices have signed: which decisions counted, whose they are by
 * which enrolments, and what was required. A receipt has its hash. It follows from the permission
 * request alone, and has nothing that redaction erases, so that it is the same for ever.
 */
public final class ApprovalEvidence {
  private static final String FORMAT = "bridle-evidence-1";

  private ApprovalEvidence() {}

  /** Returns the evidence of a decided request; empty unless a device has signed an answer. */
  public static Optional<ObjectNode> of(PermissionRequestOrBuilder request) {
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    boolean decided =
        request.getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED
            || request.getStatus() == PermissionStatus.PERMISSION_STATUS_DENIED;
    if (!decided || answers.stream().noneMatch(PermissionAnswer::hasEvidence)) {
      return Optional.empty();
    }
    ObjectNode evidence = node().put("format", FORMAT);
    evidence.set("approval", approval(request));
    evidence.set("quorum", quorum(request));
    ArrayNode decisions = evidence.putArray("decisions");
    ArrayNode unsigned = evidence.putArray("unsigned");
    Map<String, JsonNode> enrolments = new LinkedHashMap<>();
    for (PermissionAnswer answer : answers) {
      if (answer.hasEvidence()) {
        decisions.add(decision(answer));
        if (answer.getEvidence().hasEnrolment()) {
          enrolments.put(
              answer.getEvidence().getApprovalDeviceId(),
              json(answer.getEvidence().getEnrolment()));
        }
      } else {
        unsigned.add(answered(answer).put("channel", Requirements.spell(answer.getChannel())));
      }
    }
    enrolments.values().forEach(evidence.putArray("keys")::add);
    return Optional.of(evidence);
  }

  /** Returns the hash that a receipt has of evidence, over its canonical JSON. */
  public static String hash(ObjectNode evidence) {
    return Sha256.of(CanonicalJson.bytes(evidence)).toString();
  }

  private static ObjectNode approval(PermissionRequestOrBuilder request) {
    return node()
        .put("id", request.getId())
        .put("task_id", request.getTaskId())
        .put("session_id", request.getSessionId())
        .put("action", request.getAction().getKind())
        .put("decision", ApprovalFacts.decision(request))
        .put("decided_at", time(request.getResponse().getDecidedAt()));
  }

  private static ObjectNode quorum(PermissionRequestOrBuilder request) {
    ObjectNode quorum = node().put("required", ApprovalFacts.required(request));
    if (request.getRequest().hasPolicy()) {
      quorum.put("rule_hash", ActionHashes.rules(request.getRequest().getPolicy()));
      quorum.set("rule", json(ResourceJson.nonDefault(request.getRequest().getPolicy())));
    }
    return quorum;
  }

  private static ObjectNode decision(PermissionAnswer answer) {
    DecisionEvidence evidence = answer.getEvidence();
    ObjectNode decision =
        answered(answer)
            .put("approval_device_id", evidence.getApprovalDeviceId())
            .put("asked_at", time(evidence.getCreatedAt()))
            .put("asked_until", time(evidence.getExpiresAt()));
    decision.set("decision", json(evidence.getDecision()));
    return decision;
  }

  private static ObjectNode answered(PermissionAnswer answer) {
    ObjectNode answered =
        node()
            .put("actor", answer.getActor())
            .put("approved", answer.getApproved())
            .put("answered_at", time(answer.getAnsweredAt()));
    if (answer.getRolesCount() > 0) {
      answer.getRolesList().forEach(answered.putArray("roles")::add);
    }
    return answered;
  }

  private static String time(Timestamp at) {
    return Instant.ofEpochMilli(Timestamps.toMillis(at)).toString();
  }

  private static JsonNode json(ByteString bytes) {
    return StrictJson.parse(bytes.toByteArray());
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
