package dev.bridle.core.kernel.visibility;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.bridle.api.v1.ContentCommitment;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.MemoryRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Commits to content that is not public when it is stored. What is public is stored as it came, so
 * it costs nothing.
 */
public final class HiddenContent {
  private HiddenContent() {}

  /** Returns whether whoever may read a resource sees content of this visibility. */
  public static boolean isPublic(Visibility visibility) {
    return Viewer.ANYONE.sees(visibility);
  }

  /** Returns the parts with commitments to those that are not public; the same list if all are. */
  public static List<Part> sealed(Write write, List<Part> parts) {
    for (int i = 0; i < parts.size(); i++) {
      Part sealed = sealed(write, parts.get(i));
      if (!sealed.equals(parts.get(i))) {
        List<Part> all = new ArrayList<>(parts.subList(0, i));
        all.add(sealed);
        parts.subList(i + 1, parts.size()).forEach(part -> all.add(sealed(write, part)));
        return all;
      }
    }
    return parts;
  }

  /** Whatever a client says of commitments and redactions is dropped. */
  private static Part sealed(Write write, Part given) {
    Part part = PartTypes.unmarked(given);
    return isPublic(PartTypes.visibility(part))
        ? part
        : part.toBuilder().setCommitment(commitment(write, ResourceJson.of(part))).build();
  }

  /** Returns a new memory with a commitment to its content if that is not public. */
  public static Memory sealed(Write write, Memory memory) {
    Memory.Builder sealed = memory.toBuilder().clearRedacted().clearCommitment();
    boolean isPublic = isPublic(memory.getVisibility());
    if (memory.getContent().hasArtifactRef()) {
      sealed.getContentBuilder().getArtifactRefBuilder().clearRedacted();
      isPublic &= isPublic(memory.getContent().getArtifactRef().getVisibility());
    }
    return isPublic
        ? sealed.build()
        : sealed.setCommitment(commitment(write, contentOf(sealed.getContent()))).build();
  }

  /**
   * Returns whether what a record hides is what was committed to: a message, a memory, an artifact.
   * What is public has no commitment, and what a redaction has erased has none any more.
   */
  public static boolean isCommitted(MessageLite stored) {
    if (stored instanceof Message message) {
      return areCommitted(message.getPartsList());
    }
    if (stored instanceof MemoryRecord record) {
      Memory memory = record.getMemory();
      return is(memory.getCommitment(), contentOf(memory.getContent()));
    }
    return !(stored instanceof ArtifactRecord record)
        || is(
            record.getArtifact().getCommitment(),
            ByteString.copyFromUtf8(record.getArtifact().getSha256()));
  }

  /** Returns whether the parts that are not public are those that were committed to. */
  public static boolean areCommitted(List<Part> parts) {
    return parts.stream()
        .allMatch(
            part ->
                !part.hasCommitment()
                    || is(part.getCommitment(), ResourceJson.of(PartTypes.unmarked(part))));
  }

  private static boolean is(ContentCommitment commitment, ByteString content) {
    return commitment.getCommitment().isEmpty()
        || Commitment.of(commitment.getSalt().toByteArray(), content)
            .equals(commitment.getCommitment());
  }

  /** Returns a memory's content as JSON. */
  static ByteString contentOf(MemoryContent content) {
    return ResourceJson.of(content);
  }

  /** Returns a commitment to content. */
  public static ContentCommitment commitment(Write write, ByteString content) {
    return commitment(write, content, content.size());
  }

  /**
   * Returns a commitment to content.
   *
   * @param digest the content, or a hash of it
   * @param size the size of the content in bytes
   */
  public static ContentCommitment commitment(Write write, ByteString digest, long size) {
    byte[] salt = write.salt(Commitment.SALT_BYTES);
    return ContentCommitment.newBuilder()
        .setSalt(ByteString.copyFrom(salt))
        .setCommitment(Commitment.of(salt, digest))
        .setSize(size)
        .build();
  }

  /** Returns the payload of an event whose facts are not public. */
  public static Payload payload(Visibility visibility, ContentCommitment commitment) {
    return described(Payload.of(), visibility, commitment);
  }

  /** Adds visibility, size and commitment of content that a payload leaves out. */
  public static Payload described(
      Payload facts, Visibility visibility, ContentCommitment commitment) {
    return facts
        .leavingOut()
        .text("visibility", Redactions.spell(visibility))
        .json("redacted", ResourceJson.of(Redactions.of(visibility.getNumber(), commitment)));
  }

  /** Returns the parts as an event's payload has them; the same list if all are public. */
  public static List<Part> publicOf(List<Part> parts) {
    for (Part part : parts) {
      if (!isPublic(PartTypes.visibility(part))) {
        return parts.stream().map(one -> Redactions.part(one, Viewer.ANYONE)).toList();
      }
    }
    return parts;
  }
}
