package dev.bridle.core.kernel.visibility;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ContentCommitment;
import dev.bridle.api.v1.RedactedContent;
import dev.bridle.api.v1.RedactionReason;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.message.v1.ArtifactRefPart;
import dev.bridle.message.v1.FileRefPart;
import dev.bridle.message.v1.ImageRefPart;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.TextPart;
import dev.bridle.message.v1.ToolCallPart;
import dev.bridle.message.v1.ToolResultPart;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Replaces content that a viewer may not see by descriptors of the same type. A descriptor is built
 * from the members that it keeps, so that a member which is added later is left out.
 */
public final class Redactions {
  /** Stands for names, ids and URIs that are left out, which the protocol requires. */
  public static final String REDACTED = "redacted";

  /** Stands for the media type of content that is left out. */
  public static final String MIME_TYPE = "application/octet-stream";

  private static final ByteString NULL = ByteString.copyFromUtf8("null");
  private static final ByteString EMPTY = ByteString.copyFromUtf8("{}");

  private Redactions() {}

  /** Returns a part as a viewer sees it. */
  static Part part(Part part, Viewer viewer) {
    return viewer.sees(PartTypes.visibility(part)) || PartTypes.isErased(part)
        ? part
        : descriptor(part, why(part));
  }

  /** Returns what stands for a part whose content a redaction erased. */
  public static Part erased(Part part, String redactionId) {
    return PartTypes.isErased(part) ? part : descriptor(part, erased(why(part), redactionId));
  }

  /** Returns whether a redaction erased the content of one of some parts. */
  public static boolean isErased(List<Part> parts) {
    return parts.stream().anyMatch(PartTypes::isErased);
  }

  private static RedactedContent why(Part part) {
    int visibility = number(part);
    return part.hasCommitment()
        ? of(visibility, part.getCommitment())
        : RedactedContent.newBuilder()
            .setReasonValue(visibility)
            .setSize(ResourceJson.of(part).size())
            .build();
  }

  private static RedactedContent erased(RedactedContent why, String redactionId) {
    return why.toBuilder()
        .setReason(RedactionReason.REDACTION_REASON_REDACTED)
        .setRedactionId(redactionId)
        .build();
  }

  private static Part descriptor(Part part, RedactedContent why) {
    int visibility = number(part);
    Part.Builder shown = Part.newBuilder();
    switch (part.getPartCase()) {
      case TEXT ->
          shown.setText(
              TextPart.newBuilder().setText("").setVisibilityValue(visibility).setRedacted(why));
      case JSON ->
          shown.setJson(
              JsonPart.newBuilder().setValue(NULL).setVisibilityValue(visibility).setRedacted(why));
      case TOOL_CALL ->
          shown.setToolCall(
              ToolCallPart.newBuilder()
                  .setToolCallId(part.getToolCall().getToolCallId())
                  .setName(REDACTED)
                  .setInput(EMPTY)
                  .setVisibilityValue(visibility)
                  .setRedacted(why));
      case TOOL_RESULT ->
          shown.setToolResult(
              ToolResultPart.newBuilder()
                  .setToolCallId(part.getToolResult().getToolCallId())
                  .setOutput(NULL)
                  .setStatusValue(part.getToolResult().getStatusValue())
                  .setVisibilityValue(visibility)
                  .setRedacted(why));
      case ARTIFACT_REF -> shown.setArtifactRef(reference(visibility, why));
      case FILE_REF ->
          shown.setFileRef(
              FileRefPart.newBuilder()
                  .setUri(REDACTED)
                  .setMimeType(MIME_TYPE)
                  .setVisibilityValue(visibility)
                  .setRedacted(why));
      case IMAGE_REF ->
          shown.setImageRef(
              ImageRefPart.newBuilder()
                  .setArtifactId(REDACTED)
                  .setMimeType(MIME_TYPE)
                  .setVisibilityValue(visibility)
                  .setRedacted(why));
      case PART_NOT_SET -> {}
    }
    return shown.build();
  }

  private static ArtifactRefPart reference(int visibility, RedactedContent why) {
    return ArtifactRefPart.newBuilder()
        .setArtifactId(REDACTED)
        .setVisibilityValue(visibility)
        .setRedacted(why)
        .build();
  }

  /** Returns the number of a part's visibility, which may be unknown to this version. */
  private static int number(Part part) {
    return switch (part.getPartCase()) {
      case TEXT -> part.getText().getVisibilityValue();
      case JSON -> part.getJson().getVisibilityValue();
      case TOOL_CALL -> part.getToolCall().getVisibilityValue();
      case TOOL_RESULT -> part.getToolResult().getVisibilityValue();
      case ARTIFACT_REF -> part.getArtifactRef().getVisibilityValue();
      case FILE_REF -> part.getFileRef().getVisibilityValue();
      case IMAGE_REF -> part.getImageRef().getVisibilityValue();
      case PART_NOT_SET -> Visibility.VISIBILITY_RECEIPT_ONLY_VALUE;
    };
  }

  /** Returns an artifact as a viewer sees it. */
  static Artifact artifact(Artifact artifact, Viewer viewer) {
    return viewer.sees(artifact.getVisibility()) || isErased(artifact)
        ? artifact
        : descriptor(artifact, of(artifact.getVisibilityValue(), artifact.getCommitment()));
  }

  /** Returns whether a redaction erased the content of a stored artifact. */
  public static boolean isErased(Artifact artifact) {
    return artifact.getRedacted().getReason() == RedactionReason.REDACTION_REASON_REDACTED;
  }

  /**
   * Returns what stands for an artifact whose content a redaction erased.
   *
   * @param size the size of its content in bytes; empty if it is unknown
   */
  public static Artifact erased(Artifact artifact, OptionalLong size, String redactionId) {
    if (isErased(artifact)) {
      return artifact;
    }
    RedactedContent.Builder why =
        of(artifact.getVisibilityValue(), artifact.getCommitment()).toBuilder();
    size.ifPresent(why::setSize);
    return descriptor(artifact, erased(why.build(), redactionId)).toBuilder()
        .setMetadata(EMPTY)
        .build();
  }

  private static Artifact descriptor(Artifact artifact, RedactedContent why) {
    Artifact.Builder shown =
        Artifact.newBuilder()
            .setId(artifact.getId())
            .setCreatedAt(artifact.getCreatedAt())
            .setUpdatedAt(artifact.getUpdatedAt())
            .setKindValue(artifact.getKindValue())
            .setMimeType(MIME_TYPE)
            .setVisibilityValue(artifact.getVisibilityValue())
            .setRedacted(why);
    if (artifact.hasWorkspaceId()) {
      shown.setWorkspaceId(artifact.getWorkspaceId());
    }
    if (artifact.hasSessionId()) {
      shown.setSessionId(artifact.getSessionId());
    }
    if (artifact.hasTaskId()) {
      shown.setTaskId(artifact.getTaskId());
    }
    if (artifact.hasReceiptId()) {
      shown.setReceiptId(artifact.getReceiptId());
    }
    return shown.build();
  }

  /** Returns a memory as a viewer sees it; its content may be a reference that is not public. */
  static Memory memory(Memory memory, Viewer viewer) {
    if (!viewer.sees(memory.getVisibility())) {
      return descriptor(memory);
    }
    MemoryContent content = memory.getContent();
    if (!content.hasArtifactRef() || viewer.sees(content.getArtifactRef().getVisibility())) {
      return memory;
    }
    int visibility = content.getArtifactRef().getVisibilityValue();
    ArtifactRefPart reference = reference(visibility, of(visibility, memory.getCommitment()));
    return memory.toBuilder()
        .clearCommitment()
        .setContent(MemoryContent.newBuilder().setArtifactRef(reference))
        .build();
  }

  private static Memory descriptor(Memory memory) {
    Memory.Builder shown =
        Memory.newBuilder()
            .setId(memory.getId())
            .setCreatedAt(memory.getCreatedAt())
            .setUpdatedAt(memory.getUpdatedAt())
            .setScopeValue(memory.getScopeValue())
            .setOwnerId(memory.getOwnerId())
            .setContent(MemoryContent.newBuilder().setJson(EMPTY))
            .setVisibilityValue(memory.getVisibilityValue())
            .setRedacted(of(memory.getVisibilityValue(), memory.getCommitment()));
    if (memory.hasExpiresAt()) {
      shown.setExpiresAt(memory.getExpiresAt());
    }
    if (memory.hasConfidence()) {
      shown.setConfidence(memory.getConfidence());
    }
    if (memory.hasWorkspaceId()) {
      shown.setWorkspaceId(memory.getWorkspaceId());
    }
    return shown.build();
  }

  /** Returns what describes content that is left out. */
  static RedactedContent of(int visibility, ContentCommitment commitment) {
    RedactedContent.Builder why = RedactedContent.newBuilder().setReasonValue(visibility);
    if (!commitment.getCommitment().isEmpty()) {
      why.setSize(commitment.getSize()).setCommitment(Commitment.spell(commitment.getCommitment()));
    }
    return why.build();
  }

  /** Returns a visibility as the protocol spells it. */
  static String spell(Visibility visibility) {
    return visibility.name().substring("VISIBILITY_".length()).toLowerCase(Locale.ROOT);
  }
}
