package dev.bridle.core.permission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
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
import java.util.Map;

/** Spells what is set of a message as the protocol does, for events and for hashes. */
final class ResourceJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ResourceJson() {}

  /** Returns a JSON object of the members that are set and not empty. */
  static ByteString of(Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      object(message, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private static void object(Message message, JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      out.writeFieldName(field.getKey().getName());
      if (field.getValue() instanceof List<?> values) {
        out.writeStartArray();
        for (Object value : values) {
          value(field.getKey(), value, out);
        }
        out.writeEndArray();
      } else {
        value(field.getKey(), field.getValue(), out);
      }
    }
    out.writeEndObject();
  }

  private static void value(FieldDescriptor field, Object value, JsonGenerator out)
      throws IOException {
    if (value instanceof Timestamp time) {
      out.writeString(TIME.format(Instant.ofEpochMilli(Timestamps.toMillis(time))));
    } else if (value instanceof Message message) {
      object(message, out);
    } else if (value instanceof ByteString json) {
      if (field.getOptions().getExtension(Options.field).getFreeForm()
          == FreeForm.FREE_FORM_UNSPECIFIED) {
        throw new IllegalArgumentException(field.getFullName() + " holds bytes that are no JSON");
      }
      out.writeRawValue(json.toString(StandardCharsets.UTF_8));
    } else if (value instanceof EnumValueDescriptor constant) {
      String prefix = constant.getType().getValues().get(0).getName().replace("UNSPECIFIED", "");
      out.writeString(constant.getName().substring(prefix.length()).toLowerCase(Locale.ROOT));
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof Number number) {
      out.writeNumber(number.longValue());
    } else {
      out.writeString((String) value);
    }
  }
}
