package dev.bridle.core.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
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
import java.util.Map;

/** Spells members of resources as the protocol does, for the payloads of events. */
public final class ResourceJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ResourceJson() {}

  /** Returns a member of a resource; {@code null} where it may be absent and is. */
  public static ByteString member(Message resource, FieldDescriptor field) {
    boolean absent = field.hasPresence() && !resource.hasField(field);
    return written(
        out -> {
          if (absent) {
            out.writeNull();
          } else {
            value(resource.getField(field), field, out);
          }
        });
  }

  /** Returns an object of the members that are set and not empty. */
  public static ByteString of(Message message) {
    return written(out -> object(message, out));
  }

  /** Returns an array of messages. */
  public static ByteString list(List<? extends Message> messages) {
    return written(
        out -> {
          out.writeStartArray();
          for (Message message : messages) {
            object(message, out);
          }
          out.writeEndArray();
        });
  }

  private static void value(Object value, FieldDescriptor field, JsonGenerator out)
      throws IOException {
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

  private static void map(List<?> entries, FieldDescriptor map, JsonGenerator out)
      throws IOException {
    FieldDescriptor key = map.getMessageType().findFieldByNumber(1);
    FieldDescriptor of = map.getMessageType().findFieldByNumber(2);
    out.writeStartObject();
    for (Object entry : entries) {
      out.writeFieldName(String.valueOf(((Message) entry).getField(key)));
      single(((Message) entry).getField(of), of, out);
    }
    out.writeEndObject();
  }

  private static void single(Object value, FieldDescriptor field, JsonGenerator out)
      throws IOException {
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

  private static void object(Message message, JsonGenerator out) throws IOException {
    var rule = message.getDescriptorForType().getOptions().getExtension(Options.message);
    if (rule.getUnion()) {
      for (Map.Entry<FieldDescriptor, Object> branch : message.getAllFields().entrySet()) {
        single(branch.getValue(), branch.getKey(), out);
      }
      return;
    }
    out.writeStartObject();
    if (!rule.getConstant().isEmpty()) {
      int sign = rule.getConstant().indexOf('=');
      out.writeStringField(
          rule.getConstant().substring(0, sign), rule.getConstant().substring(sign + 1));
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      out.writeFieldName(field.getKey().getName());
      value(field.getValue(), field.getKey(), out);
    }
    out.writeEndObject();
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
