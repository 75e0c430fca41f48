package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/** An envelope between an enforcer, an approver and a gateway, which each know who they are. */
public final class CoreEnvelope {
  /** The most bytes of an envelope: an artifact and what is around it. */
  public static final int MAX_BYTES = Artifact.MAX_BYTES + (64 << 10);

  private static final Shape SHAPE =
      Shape.of("The envelope")
          .texts(true, "envelopeId")
          .word(
              true,
              "msgType",
              HarpErrorCode.UNSUPPORTED,
              "artifact.submit",
              "decision.submit",
              "error")
          .objects(true, "sender", "recipient", "body")
          .times(true, "createdAt")
          .objects(false, "trace");

  private static final Shape PARTY =
      Shape.of("A party of the envelope")
          .word(true, "actor", HarpErrorCode.TRANSPORT, "HE", "MA", "GW")
          .texts(true, "deviceId");

  private final ObjectNode json;

  private CoreEnvelope(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses an envelope, whose body is read by its type.
   *
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED} or {@code CANONICALIZATION}
   */
  public static CoreEnvelope parse(byte[] bytes) throws HarpException {
    return of(HarpJson.parse(bytes, MAX_BYTES));
  }

  /** Reads an envelope from a tree, as {@link #parse} does. */
  public static CoreEnvelope of(ObjectNode json) throws HarpException {
    SHAPE.check(json);
    PARTY.check((ObjectNode) json.get("sender"));
    PARTY.check((ObjectNode) json.get("recipient"));
    return new CoreEnvelope(json.deepCopy());
  }

  /** Returns the envelope's id. */
  public String id() {
    return json.get("envelopeId").textValue();
  }

  /** Returns the type of the body. */
  public String type() {
    return json.get("msgType").textValue();
  }

  /** Returns the device that has sent it. */
  public String senderDevice() {
    return json.get("sender").get("deviceId").textValue();
  }

  /** Returns the device that it is for. */
  public String recipientDevice() {
    return json.get("recipient").get("deviceId").textValue();
  }

  /** Returns a copy of the body. */
  public ObjectNode body() {
    return json.get("body").deepCopy();
  }

  /** Returns a copy of what travels beside the body; empty if nothing does. */
  public ObjectNode trace() {
    return json.path("trace") instanceof ObjectNode trace
        ? trace.deepCopy()
        : JsonNodeFactory.instance.objectNode();
  }

  @Override
  public String toString() {
    return "CoreEnvelope[" + id() + ", " + type() + "]";
  }
}
