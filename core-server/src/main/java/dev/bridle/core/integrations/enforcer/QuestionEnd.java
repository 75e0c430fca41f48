package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.HarpRequestRecord;
import java.time.Instant;
import java.util.List;

/**
 * How a question has ended that a device was asked, as the server signs it for that device: who has
 * answered it otherwise. A relay that withdraws a question by itself can't make one.
 */
final class QuestionEnd {
  private static final String FORMAT = "bridle-question-end-1";

  private QuestionEnd() {}

  /** Returns the statement with its signature, as JSON; empty where the server can't sign. */
  static ByteString signed(
      Write write, ReceiptKeys keys, HarpRequestRecord record, PermissionRequest request) {
    ObjectNode statement =
        JsonNodeFactory.instance
            .objectNode()
            .put("format", FORMAT)
            .put("tenant_id", write.tenant())
            .put("request_id", record.getRequestId())
            .put("artifact_hash", record.getArtifactHash())
            .put("end", end(request));
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    if (!answers.isEmpty()) {
      PermissionAnswer last = answers.get(answers.size() - 1);
      statement
          .put("by", last.getActor())
          .put(
              "answered_at",
              Instant.ofEpochMilli(Timestamps.toMillis(last.getAnsweredAt())).toString());
    }
    return keys.sign(write, CanonicalJson.bytes(statement))
        .map(signature -> json(statement, signature))
        .orElse(ByteString.EMPTY);
  }

  private static String end(PermissionRequest request) {
    if (request.getResponse().getReason() == PermissionReason.PERMISSION_REASON_CHANGED) {
      return "replaced";
    }
    PermissionStatus status = request.getStatus();
    return switch (status) {
      case PERMISSION_STATUS_APPROVED -> "approved";
      case PERMISSION_STATUS_DENIED -> "denied";
      case PERMISSION_STATUS_PENDING -> "answered"; // One of several that have to.
      default -> "withdrawn";
    };
  }

  private static ByteString json(ObjectNode statement, ObjectNode signature) {
    ObjectNode signed = JsonNodeFactory.instance.objectNode();
    signed.set("statement", statement);
    signed.set("signature", signature);
    return ByteString.copyFrom(CanonicalJson.bytes(signed));
  }
}
