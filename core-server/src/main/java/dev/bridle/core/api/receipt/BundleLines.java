package dev.bridle.core.api.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import java.time.Instant;

/** Writes the lines of bundles: canonical JSON, each with its type. */
final class BundleLines {
  private static final ByteString END = ByteString.copyFromUtf8("\n");

  private BundleLines() {}

  /** Returns the header of a bundle, which has no content beside its members. */
  static ObjectNode header(CoreContext context, Caller caller, String format) {
    return node()
        .put("type", "header")
        .put("format", format)
        .put("tenant_id", caller.tenant())
        .put("exported_at", Instant.ofEpochMilli(context.clock().millis()).toString())
        .put("server_version", Versions.SERVER);
  }

  /** Returns the line of the keys that verify the receipts of the caller's tenant. */
  static ByteString keys(CoreContext context, Caller caller) {
    byte[] keys =
        context
            .store()
            .read(tr -> ReceiptKeys.trusted(tr, context.layout(), caller.tenant()))
            .toJson();
    return of("key_set", StrictJson.parse(keys));
  }

  /**
   * Returns a line with its content, whose member is named like its type, and sorts before it. What
   * is as deep as JSON may be by itself is so in a line, too.
   */
  static ByteString of(String type, JsonNode content) {
    return ByteString.copyFromUtf8("{\"" + type + "\":")
        .concat(ByteString.copyFrom(CanonicalJson.bytes(content)))
        .concat(ByteString.copyFromUtf8(",\"type\":\"" + type + "\"}"))
        .concat(END);
  }

  static ByteString bytes(ObjectNode line) {
    return ByteString.copyFrom(CanonicalJson.bytes(line)).concat(END);
  }

  static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
