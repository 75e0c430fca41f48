package dev.bridle.core.kernel.validate;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/**
 * A canonical form of requests, to distinguish the retry of a command from another command under
 * the same idempotency key. RFC 8785 would not do: it makes 9007199254740993 equal
 * 9007199254740992.
 */
public final class CanonicalForm {
  private CanonicalForm() {}

  /** Returns the form of a request whose free-form JSON has been checked. */
  public static byte[] of(Message request) {
    StringBuilder out = new StringBuilder();
    write(request, out);
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Message message, StringBuilder out) {
    out.append('(');
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      out.append(field.getKey().getNumber()).append('=');
      if (field.getValue() instanceof Collection<?> values) {
        values.forEach(value -> value(field.getKey(), value, out));
      } else {
        value(field.getKey(), field.getValue(), out);
      }
    }
    out.append(')');
  }

  private static void value(FieldDescriptor field, Object value, StringBuilder out) {
    if (value instanceof Message message) {
      write(message, out);
    } else if (value instanceof ByteString bytes) {
      boolean json =
          field.getOptions().getExtension(Options.field).getFreeForm()
              != FreeForm.FREE_FORM_UNSPECIFIED;
      String text =
          json
              ? FreeFormJson.canonical(bytes.toByteArray())
              : bytes.toString(StandardCharsets.ISO_8859_1);
      out.append(text.length()).append(':').append(text);
    } else {
      String text = value.toString();
      out.append(text.length()).append(':').append(text);
    }
  }
}
