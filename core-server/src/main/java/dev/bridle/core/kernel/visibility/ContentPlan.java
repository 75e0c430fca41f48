package dev.bridle.core.kernel.visibility;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.memory.v1.Memory;
import dev.bridle.message.v1.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields through which a message type reaches content with a visibility, so that a filter looks
 * at those alone.
 *
 * @param leaf what filters the message itself; empty if it only leads to content
 * @param steps the fields that lead to content
 */
record ContentPlan(Optional<Leaf> leaf, List<Step> steps) {

  /** Returns a message as a viewer sees it, or the message itself if it is all visible. */
  interface Leaf {
    Message shown(Message message, Viewer viewer);
  }

  /** A field, and the plan of its messages. */
  record Step(FieldDescriptor field, ContentPlan plan) {}

  private static final Map<Descriptor, Leaf> LEAVES =
      Map.of(
          Part.getDescriptor(), (part, viewer) -> Redactions.part((Part) part, viewer),
          Artifact.getDescriptor(),
              (artifact, viewer) -> Redactions.artifact((Artifact) artifact, viewer),
          Memory.getDescriptor(), (memory, viewer) -> Redactions.memory((Memory) memory, viewer));

  /** Returns the plan of a message type; empty if it reaches no content. */
  static Optional<ContentPlan> of(Descriptor type) {
    return of(type, new HashSet<>());
  }

  /**
   * A type that contains itself is not followed a second time. None of those reaches content, as
   * {@code ContentFilterTest} checks.
   */
  private static Optional<ContentPlan> of(Descriptor type, Set<Descriptor> path) {
    if (LEAVES.containsKey(type)) {
      return Optional.of(new ContentPlan(Optional.of(LEAVES.get(type)), List.of()));
    }
    if (!path.add(type)) {
      return Optional.empty();
    }
    List<Step> steps = new ArrayList<>();
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        of(field.getMessageType(), path).ifPresent(plan -> steps.add(new Step(field, plan)));
      }
    }
    path.remove(type);
    return steps.isEmpty()
        ? Optional.empty()
        : Optional.of(new ContentPlan(Optional.empty(), List.copyOf(steps)));
  }

  /** Returns a message as a viewer sees it: the message itself if nothing is left out. */
  Message shown(Message message, Viewer viewer) {
    if (leaf.isPresent()) {
      return leaf.get().shown(message, viewer);
    }
    Message.Builder changed = null;
    for (Step step : steps) {
      FieldDescriptor field = step.field();
      if (!field.isRepeated()) {
        if (message.hasField(field)) {
          Message inner = (Message) message.getField(field);
          Message shown = step.plan().shown(inner, viewer);
          if (!shown.equals(inner)) {
            changed = changed == null ? message.toBuilder() : changed;
            changed.setField(field, shown);
          }
        }
        continue;
      }
      for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
        Message inner = (Message) message.getRepeatedField(field, i);
        Message shown = step.plan().shown(inner, viewer);
        if (!shown.equals(inner)) {
          changed = changed == null ? message.toBuilder() : changed;
          changed.setRepeatedField(field, i, shown);
        }
      }
    }
    return changed == null ? message : changed.build();
  }
}
