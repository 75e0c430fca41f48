package dev.bridle.gateway.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.gateway.json.FieldPlan.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;

/** Writes messages as JSON. */
public final class JsonWriter {

  /** Writes custom JSON to a generator. */
  public interface Script {
    /** Writes to the generator. */
    void write(JsonGenerator to) throws IOException;
  }

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int USUAL_SIZE = 512;

  private final MessagePlans plans;

  /** Creates a writer with these plans. */
  public JsonWriter(MessagePlans plans) {
    this.plans = plans;
  }

  /** Writes a message of the plan's type. */
  public byte[] write(Message message, MessagePlan plan) {
    return bytes(to -> message(message, plan, to));
  }

  /** Writes a message. */
  public byte[] write(Message message) {
    return write(message, plans.of(message.getDescriptorForType()));
  }

  /** Writes a value that is already JSON. */
  public static void raw(byte[] json, JsonGenerator to) throws IOException {
    to.writeRawValue(new RawJson(UnsafeByteOperations.unsafeWrap(json)));
  }

  /** Returns the bytes that a script writes. */
  public static byte[] bytes(Script script) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_SIZE);
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
    for (FieldPlan field : plan.fields()) {
      if (!field.rule().getHidden()) {
        member(message, field, to);
      }
    }
    to.writeEndObject();
  }

  private void branch(Message union, MessagePlan plan, JsonGenerator to) throws IOException {
    for (FieldPlan field : plan.fields()) {
      if (field.descriptor().isRepeated()) {
        many((List<?>) union.getField(field.descriptor()), field, to);
        return;
      }
      if (union.hasField(field.descriptor())) {
        value(union.getField(field.descriptor()), field, to);
        return;
      }
    }
    to.writeNull();
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

  private void value(Object value, FieldPlan field, JsonGenerator to) throws IOException {
    switch (field.shape()) {
      case STRING -> to.writeString((String) value);
      case BOOLEAN -> to.writeBoolean((Boolean) value);
      case INTEGER -> to.writeNumber(((Number) value).longValue());
      case DECIMAL -> to.writeNumber(((Number) value).doubleValue());
      case ENUM ->
          to.writeString(
              field.spelling().spelling(((EnumValueDescriptor) value).getNumber()).orElseThrow());
      case TIMESTAMP -> to.writeString(Timestamps.format((Timestamp) value));
      case FREE_FORM -> to.writeRawValue(new RawJson((ByteString) value));
      case BASE64 ->
          to.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
      default -> message((Message) value, field.message(), to);
    }
  }
}
