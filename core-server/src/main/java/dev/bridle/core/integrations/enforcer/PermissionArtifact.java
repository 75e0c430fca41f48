package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.validate.CanonicalJson;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.record.v1.HarpRequestRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The artifact that a device is shown of a permission request. It follows from the request and the
 * record alone, so that it is made again where it is needed, and stored nowhere.
 */
public final class PermissionArtifact {
  /** The most bytes of an action's content: sealed, it has to fit into an envelope. */
  static final int MAX_CONTENT_BYTES = 1_000_000;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FORMAT = "bridle-permission-2";

  /** The format of what was asked before devices were shown what the agent says. */
  private static final String FORMER_FORMAT = "bridle-permission-1";

  private PermissionArtifact() {}

  /**
   * Returns whether devices can be asked about a permission request, whose content may be large.
   */
  static boolean fits(PermissionRequest request) {
    return request.getAction().getContent().size() <= MAX_CONTENT_BYTES;
  }

  /**
   * Makes the artifact.
   *
   * @throws HarpException {@code CANONICALIZATION} if the request has texts without canonical bytes
   */
  static Artifact of(HarpRequestRecord record, PermissionRequest request) throws HarpException {
    return Artifact.create(
        new Artifact.About(
            record.getRequestId(),
            type(record, request.getAction()),
            repoRef(request),
            Instant.ofEpochMilli(record.getCreatedAt()),
            Instant.ofEpochMilli(record.getExpiresAt()),
            // A relay's envelope has no place for it, so the payload has it.
            Optional.empty()),
        payload(record, request),
        record.getRequestsActions() ? RequestedButtons.of(request) : Optional.empty());
  }

  /** Returns what the server signs of an artifact, before its signature is in the record. */
  static byte[] statement(HarpRequestRecord record, PermissionRequest request)
      throws HarpException {
    return IssuerSignature.statement(of(record, request));
  }

  /**
   * Makes the artifact of a signed answer again, as its device was shown it.
   *
   * @return the artifact as JSON; empty where redaction has erased what it is made of
   */
  public static Optional<ObjectNode> shown(DecisionEvidence evidence, PermissionRequest request) {
    Optional<byte[]> salt = Base64Url.decode(evidence.getSalt()).filter(bytes -> bytes.length > 0);
    if (salt.isEmpty()) {
      return Optional.empty();
    }
    HarpRequestRecord record =
        HarpRequestRecord.newBuilder()
            .setRequestId(evidence.getRequestId())
            .setSalt(ByteString.copyFrom(salt.get()))
            .setCreatedAt(Timestamps.toMillis(evidence.getCreatedAt()))
            .setExpiresAt(Timestamps.toMillis(evidence.getExpiresAt()))
            .setIssuer(evidence.getIssuer())
            .setShowsGrants(evidence.getShowsGrants())
            .setRequestsActions(evidence.getRequestsActions())
            .setShowsSaid(evidence.getShowsSaid())
            .setTakesReason(evidence.getTakesReason())
            .build();
    try {
      return Optional.of(of(record, request).json());
    } catch (HarpException e) {
      throw new IllegalStateException("what was shown can't be made again", e);
    }
  }

  private static String repoRef(PermissionRequest request) {
    return "bridle:workspace/" + request.getWorkspaceId();
  }

  private static String type(HarpRequestRecord record, PermissionAction action) {
    return switch (action.getKind()) {
      // What was asked before these had types of their own is made again as it was.
      case "plan" -> record.getShowsGrants() ? "plan.review" : "task.review";
      case "checkpoint" -> record.getShowsGrants() ? "checkpoint.review" : "task.review";
      case "command", "execute" -> "command.review";
      case "edit" -> "patch.review";
      default -> hasCommand(action) ? "command.review" : "task.review";
    };
  }

  private static boolean hasCommand(PermissionAction action) {
    try {
      return MAPPER.readTree(action.getContent().newInput()).path("command").isTextual();
    } catch (IOException e) {
      throw new UncheckedIOException("JSON that was checked can't be read", e);
    }
  }

  private static String spell(PermissionRepeatReason reason) {
    return reason.name().substring("PERMISSION_REPEAT_REASON_".length()).toLowerCase(Locale.ROOT);
  }

  private static String shown(OfferedGrant grant) {
    return grant.hasUntil()
        ? grant.getCovers() + " At most until " + Timestamps.toString(grant.getUntil()) + "."
        : grant.getCovers();
  }

  private static ObjectNode payload(HarpRequestRecord record, PermissionRequest request) {
    PermissionAction action = request.getAction();
    ObjectNode payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("format", record.getShowsSaid() ? FORMAT : FORMER_FORMAT)
            .put("kind", action.getKind());
    if (action.hasTool()) {
      payload.put("tool", action.getTool());
    }
    if (action.hasTitle()) {
      payload.put("title", action.getTitle());
    }
    payload
        // A text, since a document's own numbers may have no canonical spelling.
        .put("content", CanonicalJson.of(action.getContent()).toStringUtf8())
        .put("prompt", request.getRequest().getPrompt());
    if (action.hasSideEffect()) {
      payload.put("sideEffect", action.getSideEffect());
    }
    if (record.getShowsSaid()) {
      putSaid(payload, request);
    }
    if (action.getEditedFilesCount() > 0) {
      ArrayNode files = payload.putArray("editedFiles");
      action.getEditedFilesList().forEach(files::add);
    }
    if (request.getRequest().hasRepeats()) {
      payload.put("repeats", spell(request.getRequest().getRepeats().getReason()));
    }
    if (record.getShowsGrants() && request.getRequest().getOfferedGrantsCount() > 0) {
      ObjectNode grants = payload.putObject("grants");
      request
          .getRequest()
          .getOfferedGrantsList()
          .forEach(one -> grants.put(one.getId(), shown(one)));
    }
    if (record.getTakesReason()) {
      payload.putArray("accepts").add("reason");
    }
    if (!record.getIssuer().isEmpty()) {
      IssuerSignature.put(payload, StrictJson.parse(record.getIssuer().toByteArray()));
    }
    return payload
        .put("permissionRequestId", request.getId())
        .put("taskId", request.getTaskId())
        .put("sessionId", request.getSessionId())
        .put("fingerprint", action.getFingerprint())
        .put("contentHash", request.getRequest().getContentHash())
        .put("salt", Base64Url.encode(record.getSalt().toByteArray()));
  }

  /** Adds what the agent says, whether the action is known exactly, and the agent's options. */
  private static void putSaid(ObjectNode payload, PermissionRequest request) {
    PermissionAction action = request.getAction();
    if (action.hasSaid()) {
      payload.put("said", CanonicalJson.of(action.getSaid()).toStringUtf8());
    }
    if (action.hasNotExact()) {
      payload.put("notExact", action.getNotExact());
    }
    if (request.getRequest().hasReplaces()) {
      payload.put("replaces", request.getRequest().getReplaces());
    }
    if (request.getRequest().getOptionsCount() > 0) {
      ArrayNode options = payload.putArray("options");
      request
          .getRequest()
          .getOptionsList()
          .forEach(
              option ->
                  options
                      .addObject()
                      .put("id", option.getId())
                      .put("name", option.getName())
                      .put("kind", spell(option.getKind())));
    }
  }

  private static String spell(PermissionOptionKind kind) {
    return kind.name().substring("PERMISSION_OPTION_KIND_".length()).toLowerCase(Locale.ROOT);
  }
}
