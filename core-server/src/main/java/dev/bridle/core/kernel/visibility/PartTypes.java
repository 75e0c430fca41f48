package dev.bridle.core.kernel.visibility;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.api.v1.RedactedContent;
import dev.bridle.api.v1.RedactionReason;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.Part;

/** What parts of all types have in common. */
final class PartTypes {
  private PartTypes() {}

  static Visibility visibility(Part part) {
    return switch (part.getPartCase()) {
      case TEXT -> part.getText().getVisibility();
      case JSON -> part.getJson().getVisibility();
      case TOOL_CALL -> part.getToolCall().getVisibility();
      case TOOL_RESULT -> part.getToolResult().getVisibility();
      case ARTIFACT_REF -> part.getArtifactRef().getVisibility();
      case FILE_REF -> part.getFileRef().getVisibility();
      case IMAGE_REF -> part.getImageRef().getVisibility();
      // A type that this version does not know: nobody can tell what it holds.
      case PART_NOT_SET -> Visibility.VISIBILITY_RECEIPT_ONLY;
    };
  }

  /** Returns a part without what only the server says of it; the same part if it has none. */
  static Part unmarked(Part part) {
    if (!part.hasCommitment() && !isRedacted(part)) {
      return part;
    }
    Part.Builder unmarked = part.toBuilder().clearCommitment();
    if (isRedacted(part)) {
      FieldDescriptor type = part.getOneofFieldDescriptor(Part.getDescriptor().getOneofs().get(0));
      Message content = (Message) part.getField(type);
      FieldDescriptor redacted = content.getDescriptorForType().findFieldByName("redacted");
      unmarked.setField(type, content.toBuilder().clearField(redacted).build());
    }
    return unmarked.build();
  }

  /** Returns whether a redaction erased the content of a stored part. */
  static boolean isErased(Part part) {
    return redacted(part).getReason() == RedactionReason.REDACTION_REASON_REDACTED;
  }

  private static boolean isRedacted(Part part) {
    return switch (part.getPartCase()) {
      case TEXT -> part.getText().hasRedacted();
      case JSON -> part.getJson().hasRedacted();
      case TOOL_CALL -> part.getToolCall().hasRedacted();
      case TOOL_RESULT -> part.getToolResult().hasRedacted();
      case ARTIFACT_REF -> part.getArtifactRef().hasRedacted();
      case FILE_REF -> part.getFileRef().hasRedacted();
      case IMAGE_REF -> part.getImageRef().hasRedacted();
      case PART_NOT_SET -> false;
    };
  }

  private static RedactedContent redacted(Part part) {
    return switch (part.getPartCase()) {
      case TEXT -> part.getText().getRedacted();
      case JSON -> part.getJson().getRedacted();
      case TOOL_CALL -> part.getToolCall().getRedacted();
      case TOOL_RESULT -> part.getToolResult().getRedacted();
      case ARTIFACT_REF -> part.getArtifactRef().getRedacted();
      case FILE_REF -> part.getFileRef().getRedacted();
      case IMAGE_REF -> part.getImageRef().getRedacted();
      case PART_NOT_SET -> RedactedContent.getDefaultInstance();
    };
  }
}
