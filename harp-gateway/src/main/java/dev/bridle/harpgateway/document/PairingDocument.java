package dev.bridle.harpgateway.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harpgateway.envelope.GatewayEnvelopes;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.ConfirmRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.PairingAnswer;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.ResolveResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * Reads and writes the documents of pairing. The members beyond the binding's ({@code enforcerId}
 * of responses, {@code deviceId}, keys, nonce and proofs, {@code deviceToken}) are what both sides
 * need to verify each other; clients that don't know them ignore them.
 */
public final class PairingDocument {
  /** The most bytes of a document. */
  public static final int MAX_BYTES = 64 << 10;

  private static final String CAPABILITIES = "capabilities";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final Shape OFFER =
      Shape.of("The body")
          .texts(true, "enforcerId")
          .texts(false, "enforcerLabel", "workspaceName", "publicKey");

  private static final Shape DEVICE =
      Shape.of("The body")
          .texts(true, "nonce", "approverId")
          .texts(false, "deviceId", "publicKey", "signingKey", "signerKeyId")
          .texts(false, "approverNonce", "mac", "possession")
          .objects(false, CAPABILITIES);

  private static final Shape CONFIRMATION = Shape.of("The body").texts(true, "mac");

  private PairingDocument() {}

  /**
   * Reads what an enforcer begins a pairing with.
   *
   * @throws ProtocolException if it is something else
   */
  public static InitiateRequest initiate(ByteString body) {
    ObjectNode said = read(body, OFFER);
    return InitiateRequest.newBuilder()
        .setOffer(
            PairingOffer.newBuilder()
                .setEnforcerId(Members.text(said, "enforcerId"))
                .setEnforcerLabel(Members.text(said, "enforcerLabel"))
                .setWorkspaceName(Members.text(said, "workspaceName"))
                .setPublicKey(Members.text(said, "publicKey")))
        .build();
  }

  /** Returns the code and the nonce of a pairing that has begun. */
  public static ByteString initiated(InitiateResponse response) {
    return bytes(
        JsonNodeFactory.instance
            .objectNode()
            .put("code", response.getCode())
            .put("nonce", response.getNonce())
            .put("expiresAt", spell(response.getExpiresAt())));
  }

  /** Returns the enforcer of a code. */
  public static ByteString resolved(ResolveResponse response) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("nonce", response.getNonce());
    offer(document, response.getOffer());
    return bytes(document.put("expiresAt", spell(response.getExpiresAt())));
  }

  /**
   * Reads what a device completes a pairing with.
   *
   * @throws ProtocolException if it is something else
   */
  public static CompleteRequest complete(ByteString body) {
    ObjectNode said = read(body, DEVICE);
    PairingDevice.Builder device =
        PairingDevice.newBuilder()
            .setApproverId(Members.text(said, "approverId"))
            .setDeviceId(Members.text(said, "deviceId"))
            .setPublicKey(Members.text(said, "publicKey"))
            .setSigningKey(Members.text(said, "signingKey"))
            .setSignerKeyId(Members.text(said, "signerKeyId"))
            .setApproverNonce(Members.text(said, "approverNonce"))
            .setMac(Members.text(said, "mac"))
            .setPossession(Members.text(said, "possession"));
    if (said.has(CAPABILITIES)) {
      device.setCapabilities(bytes((ObjectNode) said.get(CAPABILITIES)));
    }
    return CompleteRequest.newBuilder()
        .setNonce(Members.text(said, "nonce"))
        .setDevice(device)
        .build();
  }

  /** Returns what a device gets: where it is reached, its new credential, and the enforcer. */
  public static ByteString completed(CompleteResponse response) {
    ObjectNode document =
        JsonNodeFactory.instance.objectNode().put("routingToken", response.getRoutingToken());
    Members.put(document, "deviceToken", response.getDeviceToken());
    offer(document, response.getOffer());
    PairingAnswer answer = response.getAnswer();
    Members.put(document, "confirmation", answer.getConfirmation());
    enrolled(document, answer.getApprovalDeviceId(), answer.getEnrolment());
    return bytes(document);
  }

  /** Puts what a device learns of its enrolment at this server. */
  private static void enrolled(ObjectNode document, String id, ByteString enrolment) {
    Members.put(document, "approvalDeviceId", id);
    if (!enrolment.isEmpty()) {
      document.set("enrolment", stored(enrolment));
    }
  }

  /**
   * Reads the proof that an enforcer confirms a pairing with.
   *
   * @throws ProtocolException if it is something else
   */
  public static ConfirmRequest confirm(String nonce, ByteString body) {
    return ConfirmRequest.newBuilder()
        .setNonce(nonce)
        .setMac(Members.text(read(body, CONFIRMATION), "mac"))
        .build();
  }

  /** Returns how far a pairing is, and the device once it is completed. */
  public static ByteString status(PairingStatus status) {
    ObjectNode document =
        JsonNodeFactory.instance
            .objectNode()
            .put("nonce", status.getNonce())
            .put("status", status.hasDevice() ? "completed" : "pending")
            .put("expiresAt", spell(status.getExpiresAt()));
    if (status.hasDevice()) {
      document.put("routingToken", status.getRoutingToken());
      device(document, status.getDevice());
      Members.put(document, "confirmation", status.getConfirmation());
      enrolled(document, status.getApprovalDeviceId(), status.getEnrolment());
    }
    return bytes(document);
  }

  private static void device(ObjectNode document, PairingDevice device) {
    document.put("approverId", device.getApproverId());
    Members.put(document, "deviceId", device.getDeviceId());
    Members.put(document, "publicKey", device.getPublicKey());
    Members.put(document, "signingKey", device.getSigningKey());
    Members.put(document, "signerKeyId", device.getSignerKeyId());
    Members.put(document, "approverNonce", device.getApproverNonce());
    Members.put(document, "mac", device.getMac());
    Members.put(document, "possession", device.getPossession());
    if (!device.getCapabilities().isEmpty()) {
      document.set(CAPABILITIES, stored(device.getCapabilities()));
    }
  }

  private static JsonNode stored(ByteString json) {
    try {
      return MAPPER.readTree(json.newInput());
    } catch (IOException e) {
      throw new UncheckedIOException("what is stored is not JSON", e);
    }
  }

  private static void offer(ObjectNode document, PairingOffer offer) {
    document.put("enforcerId", offer.getEnforcerId());
    Members.put(document, "enforcerLabel", offer.getEnforcerLabel());
    Members.put(document, "workspaceName", offer.getWorkspaceName());
    Members.put(document, "publicKey", offer.getPublicKey());
  }

  private static ObjectNode read(ByteString body, Shape shape) {
    try {
      ObjectNode said = HarpJson.parse(body.toByteArray(), MAX_BYTES);
      shape.check(said);
      return said;
    } catch (HarpException e) {
      throw new ProtocolException(ProtocolError.invalid("", e.getMessage()));
    }
  }

  private static ByteString bytes(ObjectNode document) {
    return ByteString.copyFrom(GatewayEnvelopes.bytes(document));
  }

  private static String spell(Timestamp time) {
    return Times.spell(Instant.ofEpochSecond(time.getSeconds()));
  }
}
