package dev.bridle.core.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.api.v1.Options;
import dev.bridle.message.v1.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Spells parts as the protocol does, for the payloads of events. */
final class PartJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private PartJson() {}

  /** Returns a JSON array of the parts. */
  static ByteString of(List<Part> parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      out.writeStartArray();
      for (Part part : parts) {
        for (Object branch : part.getAllFields().values()) {
          write((Message) branch, out);
        }
      }
      out.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private static void write(Message branch, JsonGenerator out) throws IOException {
    String constant =
        branch.getDescriptorForType().getOptions().getExtension(Options.message).getConstant();
    out.writeStartObject();
    out.writeStringField("type", constant.substring(constant.indexOf('=') + 1));
    for (Map.Entry<FieldDescriptor, Object> field : branch.getAllFields().entrySet()) {
      out.writeFieldName(field.getKey().getName());
      if (field.getValue() instanceof ByteString json) {
        out.writeRawValue(json.toString(StandardCharsets.UTF_8));
      } else if (field.getValue() instanceof EnumValueDescriptor value) {
        String prefix = value.getType().getValues().get(0).getName().replace("UNSPECIFIED", "");
        out.writeString(value.getName().substring(prefix.length()).toLowerCase(Locale.ROOT));
      } else {
        out.writeString((String) field.getValue());
      }
    }
    out.writeEndObject();
  }
}
