package dev.bridle.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.json.FieldPlan.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;

/**
 * Writes messages as the protocol's JSON, with the members that a policy selects. Safe for use by
 * several threads.
 */
public final class JsonWriter {

  /** Writes custom JSON to a generator. */
  public interface Script {
    /** Writes to the generator. */
    void write(JsonGenerator to) throws IOException;
  }

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int USUAL_SIZE = 512;

  private static final ByteString EMPTY_OBJECT = ByteString.copyFromUtf8("{}");

  private final MessagePlans plans;
  private final MemberPolicy policy;

  /** Creates a writer with these plans and this policy. */
  public JsonWriter(MessagePlans plans, MemberPolicy policy) {
    this.plans = plans;
    this.policy = policy;
  }

  /** Writes a message of the plan's type. */
  public byte[] write(Message message, MessagePlan plan) {
    return bytes(to -> message(message, plan, to));
  }

  /**
   * Writes a message of the plan's type.
   *
   * @param size about how many bytes it takes, for which memory is allocated at once
   */
  public byte[] write(Message message, MessagePlan plan, int size) {
    return bytes(size, to -> message(message, plan, to));
  }

  /** Writes a message. */
  public byte[] write(Message message) {
    return write(message, plans.of(message.getDescriptorForType()));
  }

  /** Writes an array of messages. */
  public byte[] writeList(List<? extends Message> messages) {
    return bytes(
        to -> {
          to.writeStartArray();
          for (Message message : messages) {
            message(message, plans.of(message.getDescriptorForType()), to);
          }
          to.writeEndArray();
        });
  }

  /** Writes the value of one field of a message; {@code null} if it may be absent and is. */
  public byte[] writeMember(Message message, FieldDescriptor field) {
    FieldPlan plan = plan(field);
    boolean absent = field.hasPresence() && !message.hasField(field);
    return bytes(
        to -> {
          if (absent) {
            to.writeNull();
          } else {
            anyValue(message.getField(field), plan, to);
          }
        });
  }

  /** Returns the plan of a field. */
  public FieldPlan plan(FieldDescriptor field) {
    return plans.of(field.getContainingType()).fields().get(field.getIndex());
  }

  /** Writes a value that is already JSON. */
  public static void raw(byte[] json, JsonGenerator to) throws IOException {
    to.writeRawValue(new RawJson(UnsafeByteOperations.unsafeWrap(json)));
  }

  /** Returns the bytes that a script writes. */
  public static byte[] bytes(Script script) {
    return bytes(USUAL_SIZE, script);
  }

  private static byte[] bytes(int size, Script script) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(size);
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      script.write(generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void message(Message message, MessagePlan plan, JsonGenerator to) throws IOException {
    if (plan.union()) {
      branch(message, plan, to);
      return;
    }
    to.writeStartObject();
    if (plan.constantName().isPresent()) {
      to.writeFieldName(plan.constantName().get());
      to.writeString(plan.constantValue());
    }
    for (FieldPlan field : plan.members()) {
      if (policy != MemberPolicy.WHOLE) {
        setMember(message, field, to);
      } else {
        member(message, field, to);
      }
    }
    to.writeEndObject();
  }

  private void branch(Message union, MessagePlan plan, JsonGenerator to) throws IOException {
    for (FieldPlan field : plan.members()) {
      if (field.descriptor().isRepeated() || union.hasField(field.descriptor())) {
        anyValue(union.getField(field.descriptor()), field, to);
        return;
      }
    }
    to.writeNull();
  }

  private void setMember(Message message, FieldPlan field, JsonGenerator to) throws IOException {
    FieldDescriptor descriptor = field.descriptor();
    boolean set =
        descriptor.isRepeated()
            ? message.getRepeatedFieldCount(descriptor) > 0
            : message.hasField(descriptor);
    if (set || (policy == MemberPolicy.SPARSE && field.alwaysSet())) {
      to.writeFieldName(field.quotedName());
      anyValue(message.getField(descriptor), field, to);
    }
  }

  private void member(Message message, FieldPlan field, JsonGenerator to) throws IOException {
    FieldDescriptor descriptor = field.descriptor();
    if (descriptor.isRepeated()) {
      to.writeFieldName(field.quotedName());
      many((List<?>) message.getField(descriptor), field, to);
      return;
    }
    boolean absent = descriptor.hasPresence() && !message.hasField(descriptor);
    Object value = absent ? null : message.getField(descriptor);
    if (absent || isBlank(value, field)) {
      blank(field, to);
    } else {
      to.writeFieldName(field.quotedName());
      value(value, field, to);
    }
  }

  private static boolean isBlank(Object value, FieldPlan field) {
    return switch (field.shape()) {
      case ENUM -> field.spelling().spelling(((EnumValueDescriptor) value).getNumber()).isEmpty();
      case FREE_FORM -> ((ByteString) value).isEmpty();
      default -> false;
    };
  }

  private static void blank(FieldPlan field, JsonGenerator to) throws IOException {
    boolean object = field.shape() == Shape.FREE_FORM && !field.anyJson();
    if (field.rule().getNullable()) {
      to.writeFieldName(field.quotedName());
      to.writeNull();
    } else if (field.required() && field.shape() == Shape.FREE_FORM) {
      to.writeFieldName(field.quotedName());
      if (object) {
        to.writeStartObject();
        to.writeEndObject();
      } else {
        to.writeNull();
      }
    }
  }

  private void anyValue(Object value, FieldPlan field, JsonGenerator to) throws IOException {
    if (field.descriptor().isRepeated()) {
      many((List<?>) value, field, to);
    } else {
      value(value, field, to);
    }
  }

  private void many(List<?> values, FieldPlan field, JsonGenerator to) throws IOException {
    if (field.descriptor().isMapField()) {
      map(values, field.message(), to);
      return;
    }
    to.writeStartArray();
    for (Object element : values) {
      value(element, field, to);
    }
    to.writeEndArray();
  }

  private void map(List<?> entries, MessagePlan plan, JsonGenerator to) throws IOException {
    FieldDescriptor key = plan.fields().get(0).descriptor();
    FieldPlan value = plan.fields().get(1);
    to.writeStartObject();
    for (Object element : entries) {
      Message entry = (Message) element;
      to.writeFieldName(entry.getField(key).toString());
      value(entry.getField(value.descriptor()), value, to);
    }
    to.writeEndObject();
  }

  /**
   * Free-form JSON keeps its bytes; what was never given is an empty object. In payloads and
   * hashes, bytes that are no valid UTF-8 are replaced, as they were in those that are stored.
   */
  private ByteString freeForm(ByteString json) {
    if (json.isEmpty()) {
      return EMPTY_OBJECT;
    }
    return policy == MemberPolicy.WHOLE || json.isValidUtf8()
        ? json
        : ByteString.copyFromUtf8(json.toStringUtf8());
  }

  private void value(Object value, FieldPlan field, JsonGenerator to) throws IOException {
    switch (field.shape()) {
      case STRING -> to.writeString((String) value);
      case BOOLEAN -> to.writeBoolean((Boolean) value);
      case INTEGER -> to.writeNumber(((Number) value).longValue());
      case DECIMAL -> to.writeNumber(((Number) value).doubleValue());
      case ENUM -> to.writeString(field.spelling().any((EnumValueDescriptor) value));
      case TIMESTAMP -> to.writeString(Timestamps.format((Timestamp) value));
      case FREE_FORM -> to.writeRawValue(new RawJson(freeForm((ByteString) value)));
      case BASE64 ->
          to.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
      default -> message((Message) value, field.message(), to);
    }
  }
}
