package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.FieldRule;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Spells resources as the protocol does: members for the payloads of events, or all that REST
 * tells.
 */
public final class ResourceJson {
  private static final ResourceJson NON_DEFAULT = new ResourceJson(Members.NON_DEFAULT);
  private static final ResourceJson SET = new ResourceJson(Members.SET);
  private static final ResourceJson WHOLE = new ResourceJson(Members.WHOLE);

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Which members are written. */
  private enum Members {
    NON_DEFAULT,
    SET,
    WHOLE
  }

  private final Members members;

  private ResourceJson(Members members) {
    this.members = members;
  }

  /**
   * Returns whether a field always has a value: a number or truth value that can't be absent, whose
   * zero and {@code false} say as much as any other value.
   */
  public static boolean alwaysSet(FieldDescriptor field) {
    if (field.isRepeated() || field.hasPresence() || rule(field).getHidden()) {
      return false;
    }
    return switch (field.getJavaType()) {
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> true;
      case STRING, BYTE_STRING, ENUM, MESSAGE -> false;
    };
  }

  /** Returns a member of a resource; {@code null} where it may be absent and is. */
  public static ByteString member(Message resource, FieldDescriptor field) {
    boolean absent = field.hasPresence() && !resource.hasField(field);
    return written(
        out -> {
          if (absent) {
            out.writeNull();
          } else {
            SET.value(resource.getField(field), field, out);
          }
        });
  }

  /** Returns an object of all members that REST tells of a resource, empty ones among them. */
  public static ByteString whole(Message resource) {
    return written(out -> WHOLE.object(resource, out));
  }

  /**
   * Returns an object of the members that are set and not empty; numbers and truth values that
   * can't be absent are among them whatever they are.
   */
  public static ByteString of(Message message) {
    return written(out -> SET.object(message, out));
  }

  /**
   * Returns an object of the members that differ from their type's default, zeros and {@code false}
   * left out: the stable form that stored hashes are of.
   */
  public static ByteString nonDefault(Message message) {
    return written(out -> NON_DEFAULT.object(message, out));
  }

  /** Returns an array of messages. */
  public static ByteString list(List<? extends Message> messages) {
    return written(
        out -> {
          out.writeStartArray();
          for (Message message : messages) {
            SET.object(message, out);
          }
          out.writeEndArray();
        });
  }

  private void value(Object value, FieldDescriptor field, JsonGenerator out) throws IOException {
    if (field.isMapField()) {
      map((List<?>) value, field, out);
    } else if (field.isRepeated()) {
      out.writeStartArray();
      for (Object element : (List<?>) value) {
        single(element, field, out);
      }
      out.writeEndArray();
    } else {
      single(value, field, out);
    }
  }

  private void map(List<?> entries, FieldDescriptor map, JsonGenerator out) throws IOException {
    FieldDescriptor key = map.getMessageType().findFieldByNumber(1);
    FieldDescriptor of = map.getMessageType().findFieldByNumber(2);
    out.writeStartObject();
    for (Object entry : entries) {
      out.writeFieldName(String.valueOf(((Message) entry).getField(key)));
      single(((Message) entry).getField(of), of, out);
    }
    out.writeEndObject();
  }

  private void single(Object value, FieldDescriptor field, JsonGenerator out) throws IOException {
    switch (field.getJavaType()) {
      case STRING -> out.writeString((String) value);
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case INT, LONG -> out.writeNumber(((Number) value).longValue());
      case FLOAT, DOUBLE -> out.writeNumber(((Number) value).doubleValue());
      case ENUM -> out.writeString(spelled((EnumValueDescriptor) value));
      case BYTE_STRING -> freeForm((ByteString) value, out);
      case MESSAGE -> {
        if (value instanceof Timestamp time) {
          out.writeString(TIME.format(Instant.ofEpochMilli(Timestamps.toMillis(time))));
        } else {
          object((Message) value, out);
        }
      }
    }
  }

  /** Free-form JSON stands as it is; what was never given is an empty object. */
  private static void freeForm(ByteString json, JsonGenerator out) throws IOException {
    out.writeRawValue(json.isEmpty() ? "{}" : json.toString(StandardCharsets.UTF_8));
  }

  private void object(Message message, JsonGenerator out) throws IOException {
    var rule = message.getDescriptorForType().getOptions().getExtension(Options.message);
    if (rule.getUnion()) {
      branch(message, out);
      return;
    }
    out.writeStartObject();
    if (!rule.getConstant().isEmpty()) {
      int sign = rule.getConstant().indexOf('=');
      out.writeStringField(
          rule.getConstant().substring(0, sign), rule.getConstant().substring(sign + 1));
    }
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      String name = rule.getCamelCase() ? field.getJsonName() : field.getName();
      if (isWritten(message, field)) {
        out.writeFieldName(name);
        value(message.getField(field), field, out);
      } else if (members == Members.WHOLE) {
        empty(field, name, out);
      }
    }
    out.writeEndObject();
  }

  private void branch(Message union, JsonGenerator out) throws IOException {
    for (FieldDescriptor field : union.getDescriptorForType().getFields()) {
      if (field.isRepeated() || union.hasField(field)) {
        value(union.getField(field), field, out);
        return;
      }
    }
    out.writeNull();
  }

  private boolean isWritten(Message message, FieldDescriptor field) {
    return switch (members) {
      case NON_DEFAULT -> message.getAllFields().containsKey(field);
      case SET -> message.getAllFields().containsKey(field) || alwaysSet(field);
      case WHOLE -> !blank(message, field);
    };
  }

  private static boolean blank(Message message, FieldDescriptor field) {
    if (rule(field).getHidden()) {
      return true;
    }
    if (field.isRepeated()) {
      return false;
    }
    Object value = message.getField(field);
    return (field.hasPresence() && !message.hasField(field))
        || (value instanceof EnumValueDescriptor one && one.getNumber() == 0)
        || (value instanceof ByteString bytes && bytes.isEmpty());
  }

  /** What the wire tells of a member that has no value. */
  private static void empty(FieldDescriptor field, String name, JsonGenerator out)
      throws IOException {
    FieldRule rule = rule(field);
    if (rule.getHidden()) {
      return;
    }
    if (rule.getNullable()) {
      out.writeNullField(name);
    } else if (rule.getRequired() && rule.getFreeForm() == FreeForm.FREE_FORM_OBJECT) {
      out.writeObjectFieldStart(name);
      out.writeEndObject();
    } else if (rule.getRequired() && rule.getFreeForm() == FreeForm.FREE_FORM_ANY) {
      out.writeNullField(name);
    }
  }

  private static FieldRule rule(FieldDescriptor field) {
    return field.getOptions().getExtension(Options.field);
  }

  private static String spelled(EnumValueDescriptor value) {
    String prefix = value.getType().getValues().get(0).getName().replace("UNSPECIFIED", "");
    String spelling = value.getName().substring(prefix.length());
    boolean lower = value.getType().getOptions().getExtension(Options.lowerCase);
    return lower ? spelling.toLowerCase(Locale.ROOT) : spelling;
  }

  private static ByteString written(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private interface Writing {
    void to(JsonGenerator out) throws IOException;
  }
}
