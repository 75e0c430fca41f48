package dev.bridle.core.work.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.ProtocolMessageEnum;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.schema.ReceiptSchema;
import java.util.Locale;

/**
 * Builds the parts of receipts that workers report, and checks them when they come, so that making
 * a receipt can't fail.
 */
final class ReceiptParts {
  /** What stands in a receipt for text that must stay removable. */
  static final String REDACTED = "redacted";

  /** Far less than a receipt may have in all. */
  private static final int MAX_DEPTH = 16;

  private ReceiptParts() {}

  /** Returns an empty part. */
  static ObjectNode part() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Sets a text, unless it is empty. */
  static ObjectNode text(ObjectNode part, String name, String value) {
    return value.isEmpty() ? part : part.put(name, value);
  }

  /**
   * Sets a worker's free-form object, unless it is empty. An {@code invalid_request} if readers of
   * JSON would disagree about its values.
   *
   * @param param the member of the request that has it
   */
  static ObjectNode object(ObjectNode part, String name, ByteString json, String param) {
    if (!json.isEmpty()) {
      try {
        JsonNode value = StrictJson.parse(json.toByteArray());
        if (depth(value) > MAX_DEPTH) {
          throw ProtocolException.invalid(
              param, "is nested deeper than " + MAX_DEPTH + " arrays and objects");
        }
        part.set(name, value);
      } catch (InvalidJsonException e) {
        throw ProtocolException.invalid(param, e.getMessage());
      }
    }
    return part;
  }

  private static int depth(JsonNode value) {
    int deepest = 0;
    for (JsonNode child : value) {
      deepest = Math.max(deepest, depth(child));
    }
    return value.isContainerNode() ? deepest + 1 : 0;
  }

  /** Returns a value's spelling in receipts: its name without the enum's prefix, in lower case. */
  static String spell(ProtocolMessageEnum value, String prefix) {
    return value.getValueDescriptor().getName().substring(prefix.length()).toLowerCase(Locale.ROOT);
  }

  /**
   * Checks a part against the receipts' schema; an {@code invalid_request} if it does not fit.
   *
   * @param param the member of the request that it was made from
   */
  static void check(ReceiptSchema schema, JsonNode part, String param) {
    schema
        .fault(part)
        .ifPresent(
            fault -> {
              throw ProtocolException.invalid(
                  param + fault.pointer().replace('/', '.'), fault.expected());
            });
  }

  /** Returns the canonical bytes of a part. */
  static ByteString canonical(JsonNode part) {
    return UnsafeByteOperations.unsafeWrap(CanonicalJson.bytes(part));
  }
}
