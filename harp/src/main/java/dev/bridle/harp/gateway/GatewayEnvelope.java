package dev.bridle.harp.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.SealedArtifact;
import java.time.Instant;
import java.util.Optional;

/**
 * What travels to and from a gateway: a message about one request. The gateway reads the envelope,
 * and of the body only what it needs to deliver it.
 */
public final class GatewayEnvelope {
  /** The most bytes of an envelope. */
  public static final int MAX_BYTES = SealedArtifact.MAX_BYTES;

  private static final Shape SHAPE =
      Shape.of("The envelope")
          .texts(true, "msgType", "requestId")
          .texts(false, "msgId")
          .times(true, "createdAt")
          .times(false, "expiresAt")
          .objects(true, "sender", "body")
          .objects(false, "recipient", "trace");

  private static final Shape SENDER =
      Shape.of("The sender").texts(false, "enforcerId", "approverId", "gatewayId");

  private static final Shape RECIPIENT =
      Shape.of("The recipient").texts(false, "enforcerId", "approverId");

  private final ObjectNode json;

  private GatewayEnvelope(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses an envelope; its body is checked by its own type, such as {@link DecisionSubmit}.
   *
   * @throws HarpException {@code TRANSPORT} or {@code CANONICALIZATION}
   */
  public static GatewayEnvelope parse(byte[] bytes) throws HarpException {
    return of(HarpJson.parse(bytes, MAX_BYTES));
  }

  /** Reads an envelope from a tree, as {@link #parse} does. */
  public static GatewayEnvelope of(ObjectNode json) throws HarpException {
    SHAPE.check(json);
    SENDER.check((ObjectNode) json.get("sender"));
    if (json.has("recipient")) {
      RECIPIENT.check((ObjectNode) json.get("recipient"));
    }
    return new GatewayEnvelope(json.deepCopy());
  }

  /** Returns the message's type, such as {@code decision.submit}. */
  public String type() {
    return json.get("msgType").textValue();
  }

  /** Returns the request that it is about. */
  public String requestId() {
    return json.get("requestId").textValue();
  }

  /** Returns the message's id, which what a gateway delivers has. */
  public Optional<String> messageId() {
    return optional(json, "msgId");
  }

  /** Returns when it was made. */
  public Instant createdAt() {
    try {
      return Times.parse(json.get("createdAt").textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns until when it counts, as it is spelled: decisions are signed over that. */
  public Optional<String> expiresAt() {
    return optional(json, "expiresAt");
  }

  /** Returns the enforcer that has sent it, if one has. */
  public Optional<String> senderEnforcer() {
    return optional((ObjectNode) json.get("sender"), "enforcerId");
  }

  /** Returns the approver that has sent it, if one has. */
  public Optional<String> senderApprover() {
    return optional((ObjectNode) json.get("sender"), "approverId");
  }

  /** Returns the approver that it is for, if it names one. */
  public Optional<String> recipientApprover() {
    return json.has("recipient")
        ? optional((ObjectNode) json.get("recipient"), "approverId")
        : Optional.empty();
  }

  /** Returns a copy of what travels beside the body, which no signature covers. */
  public ObjectNode trace() {
    return json.has("trace") ? json.get("trace").deepCopy() : JsonNodeFactory.instance.objectNode();
  }

  private static Optional<String> optional(ObjectNode object, String member) {
    return Optional.ofNullable(object.get(member)).map(found -> found.textValue());
  }

  /** Returns a copy of the body. */
  public ObjectNode body() {
    return json.get("body").deepCopy();
  }

  /** Returns a copy as JSON. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  /** Without the body, of which nothing is for a log. */
  @Override
  public String toString() {
    return "GatewayEnvelope[" + type() + ", " + requestId() + "]";
  }
}
