package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.core.CoreEnvelope;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.Optional;

/**
 * What a generic endpoint takes: an object, or a core envelope around it.
 *
 * @param object the object, not checked
 * @param sender the device that has sent the envelope, if there was one
 * @param recipient the device that the envelope is for, if there was one
 * @param trace what travels beside the object in the envelope
 */
record CoreDocument(
    ObjectNode object, Optional<String> sender, Optional<String> recipient, ObjectNode trace) {
  /**
   * Reads a document.
   *
   * @param type the type of envelopes that are taken
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED} or {@code CANONICALIZATION}
   */
  static CoreDocument parse(ByteString bytes, String type) throws HarpException {
    ObjectNode json = HarpJson.parse(bytes.toByteArray(), CoreEnvelope.MAX_BYTES);
    if (!json.has("msgType")) {
      return new CoreDocument(
          json, Optional.empty(), Optional.empty(), JsonNodeFactory.instance.objectNode());
    }
    CoreEnvelope envelope = CoreEnvelope.of(json);
    if (!envelope.type().equals(type)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "unknown_type", "This endpoint takes " + type + ".");
    }
    return new CoreDocument(
        envelope.body(),
        Optional.of(envelope.senderDevice()),
        Optional.of(envelope.recipientDevice()),
        envelope.trace());
  }
}
