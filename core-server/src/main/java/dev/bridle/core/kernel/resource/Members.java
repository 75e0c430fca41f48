package dev.bridle.core.kernel.resource;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Creates and updates resources from the members of requests: members of the same name and type
 * correspond.
 */
public final class Members {
  /** Required texts that may be empty. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("description");

  private static final Set<String> OF_ALL = Set.of("id", "created_at", "updated_at");

  private Members() {}

  /**
   * A change of a resource.
   *
   * @param resource the resource after it
   * @param changedFields the members that changed, with their new values
   */
  public record Change<M>(M resource, Payload changedFields) {}

  /** Creates a resource from a request, with an id and its times. */
  @SuppressWarnings("unchecked") // A builder makes its own type.
  public static <M extends Message> M create(Write write, String id, Message request, M prototype) {
    Message.Builder made = prototype.newBuilderForType();
    for (Map.Entry<FieldDescriptor, Object> given : request.getAllFields().entrySet()) {
      same(prototype, given.getKey()).ifPresent(field -> set(made, field, given.getValue()));
    }
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    made.setField(field(prototype, "id"), id);
    made.setField(field(prototype, "created_at"), now);
    made.setField(field(prototype, "updated_at"), now);
    return (M) made.build();
  }

  /** Returns the event payload of a new resource: every member that has a value. */
  public static Payload createdFacts(Message resource) {
    return createdFacts(resource, Payload.of());
  }

  /** Adds every member of a new resource that has a value to a payload. */
  public static Payload createdFacts(Message resource, Payload facts) {
    for (FieldDescriptor field : resource.getDescriptorForType().getFields()) {
      boolean given = resource.getAllFields().containsKey(field) || ResourceJson.alwaysSet(field);
      if (given && !OF_ALL.contains(field.getName())) {
        facts.json(field.getName(), ResourceJson.member(resource, field));
      }
    }
    return facts;
  }

  /**
   * Sets the members that a mask names to the values of the request, and clears those that the
   * request lacks. Returns empty if nothing changes. Required members can't be cleared: {@code
   * invalid_request}.
   */
  @SuppressWarnings("unchecked") // A builder makes its own type.
  public static <M extends Message> Optional<Change<M>> applyMask(
      Write write, M before, Message request, FieldMask mask) {
    Message.Builder after = before.toBuilder();
    Set<FieldDescriptor> named = new LinkedHashSet<>();
    for (String path : mask.getPathsList()) {
      FieldDescriptor from = request.getDescriptorForType().findFieldByName(path);
      Optional<FieldDescriptor> to =
          Optional.ofNullable(from).flatMap(field -> same(before, field));
      if (to.isPresent()) {
        change(after, to.get(), request, from);
        named.add(to.get());
      }
    }
    if (after.build().equals(before)) {
      return Optional.empty();
    }
    after.setField(field(before, "updated_at"), Timestamps.fromMillis(write.nowMillis()));
    M changed = (M) after.build();
    Payload changedFields = Payload.of();
    named.forEach(
        field -> changedFields.json(field.getName(), ResourceJson.member(changed, field)));
    return Optional.of(new Change<>(changed, changedFields));
  }

  private static void change(
      Message.Builder after, FieldDescriptor to, Message request, FieldDescriptor from) {
    boolean given = from.hasPresence() ? request.hasField(from) : true;
    Object value = request.getField(from);
    if (!clearable(to) && (!given || empty(request, from, value))) {
      throw ProtocolException.invalid(to.getName(), "must not be empty");
    }
    if (given) {
      set(after, to, value);
    } else {
      after.clearField(to);
    }
  }

  /** Sets a field; entries of a map have a type of their own in each message and are converted. */
  private static void set(Message.Builder into, FieldDescriptor field, Object value) {
    if (!field.isMapField()) {
      into.setField(field, value);
      return;
    }
    into.clearField(field);
    for (Object given : (List<?>) value) {
      Message entry = (Message) given;
      Message.Builder own = into.newBuilderForField(field);
      for (int number = 1; number <= 2; number++) {
        own.setField(
            own.getDescriptorForType().findFieldByNumber(number),
            entry.getField(entry.getDescriptorForType().findFieldByNumber(number)));
      }
      into.addRepeatedField(field, own.build());
    }
  }

  private static boolean clearable(FieldDescriptor field) {
    var rule = field.getOptions().getExtension(Options.field);
    boolean list = field.isRepeated() && !field.isMapField();
    return !rule.getRequired()
        || list
        || rule.getNullable()
        || rule.getFreeForm() != FreeForm.FREE_FORM_UNSPECIFIED;
  }

  private static boolean empty(Message request, FieldDescriptor field, Object value) {
    return field.isRepeated()
        ? request.getRepeatedFieldCount(field) == 0
        : value instanceof String text && text.isEmpty() && !MAY_BE_EMPTY.contains(field.getName());
  }

  /** Returns the resource's member of the same name and type. */
  private static Optional<FieldDescriptor> same(Message resource, FieldDescriptor given) {
    return Optional.ofNullable(resource.getDescriptorForType().findFieldByName(given.getName()))
        .filter(field -> !OF_ALL.contains(field.getName()))
        .filter(field -> field.getType() == given.getType())
        .filter(field -> field.isRepeated() == given.isRepeated());
  }

  private static FieldDescriptor field(Message resource, String name) {
    return resource.getDescriptorForType().findFieldByName(name);
  }
}
