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
 * Makes and changes resources by the members of requests: what a request calls as the resource does
 * is the same thing there.
 */
public final class Members {
  /** Required texts for which nothing is as good a value as any. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("description");

  private static final Set<String> OF_ALL = Set.of("id", "created_at", "updated_at");

  private Members() {}

  /**
   * A change of a resource.
   *
   * @param resource the resource after it
   * @param told the members that changed, as they are now
   */
  public record Change<M>(M resource, Payload told) {}

  /** Makes a resource of what a request gives, with an id and its times. */
  @SuppressWarnings("unchecked") // A builder makes its own type.
  public static <M extends Message> M made(Write write, String id, Message request, M prototype) {
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

  /** Returns the facts of a new resource: every member that has a value. */
  public static Payload told(Message resource) {
    return told(resource, Payload.of());
  }

  /** Adds the facts of a new resource: every member that has a value. */
  public static Payload told(Message resource, Payload told) {
    for (FieldDescriptor field : resource.getDescriptorForType().getFields()) {
      boolean given = resource.getAllFields().containsKey(field) || ResourceJson.alwaysSet(field);
      if (given && !OF_ALL.contains(field.getName())) {
        told.json(field.getName(), ResourceJson.member(resource, field));
      }
    }
    return told;
  }

  /**
   * Changes the members that a mask names to what the request gives, and clears those that it does
   * not give. Empty where nothing changes. Members that the resource can't be without can't be
   * cleared.
   */
  @SuppressWarnings("unchecked") // A builder makes its own type.
  public static <M extends Message> Optional<Change<M>> changed(
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
    Payload told = Payload.of();
    named.forEach(field -> told.json(field.getName(), ResourceJson.member(changed, field)));
    return Optional.of(new Change<>(changed, told));
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

  /** Entries of a map are of a type of their own in each message. */
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
