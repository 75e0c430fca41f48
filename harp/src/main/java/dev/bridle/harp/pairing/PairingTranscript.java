package dev.bridle.harp.pairing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.AgreementKey;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * What an enforcer and an approver agree on when they pair. Each side builds it from what it knows
 * itself; macs, proof of possession and short code are equal only if both have built the same.
 * Immutable.
 */
public final class PairingTranscript {
  /** The most bytes of the canonical form, which bounds what a device may declare. */
  public static final int MAX_BYTES = 64 << 10;

  /** The fewest bytes of the pairing's nonce, so that two pairings never have the same. */
  public static final int MIN_NONCE_BYTES = 16;

  /** The most bytes of the pairing's nonce. A relay may choose another length than ours. */
  public static final int MAX_NONCE_BYTES = 64;

  private static final String VERSION = "bridle-harp-pair-1";

  private static final Shape SHAPE =
      Shape.of("The pairing")
          .word(true, "v", HarpErrorCode.UNSUPPORTED, VERSION)
          .texts(true, "relay", "nonce", "enforcerId", "enforcerKey")
          .texts(true, "enforcerLabel", "workspaceName")
          .texts(true, "approverId", "deviceId", "kxPub", "kid", "signPub", "approverNonce")
          .objects(true, "capabilities");

  private final PairingOffer offer;
  private final PairingDevice device;
  private final byte[] nonce;
  private final VerificationKey signingKey;
  private final byte[] canonical;
  private final Sha256 hash;

  private PairingTranscript(PairingOffer offer, PairingDevice device) throws HarpException {
    ObjectNode json = json(offer, device);
    SHAPE.check(json);
    RelayUrl.check(offer.relay());
    this.offer = offer;
    this.device = device;
    this.nonce = ByteText.decode("nonce", offer.nonce(), MIN_NONCE_BYTES, MAX_NONCE_BYTES);
    ByteText.decode("approverNonce", device.approverNonce(), PairingDevice.APPROVER_NONCE_BYTES);
    AgreementKey.checkPublicKey(ByteText.decode("kxPub", device.kxPub(), AgreementKey.BYTES));
    signingKey("enforcerKey", offer.enforcerKey());
    this.signingKey = signingKey("signPub", device.signPub());
    this.canonical = HarpJson.canonical(json);
    if (canonical.length > MAX_BYTES) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT,
          "too_large",
          "The pairing has more than " + MAX_BYTES + " bytes. Declare fewer capabilities.");
    }
    this.hash = Sha256.of(canonical);
  }

  /**
   * Builds the transcript of a pairing.
   *
   * @throws HarpException {@code TRANSPORT} if a member is missing, too long or malformed; {@code
   *     UNSUPPORTED} if a public key can't be used; {@code CANONICALIZATION} if there are no
   *     canonical bytes that all agree on
   */
  public static PairingTranscript of(PairingOffer offer, PairingDevice device)
      throws HarpException {
    return new PairingTranscript(offer, device);
  }

  private static ObjectNode json(PairingOffer offer, PairingDevice device) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("v", VERSION)
            .put("relay", offer.relay())
            .put("nonce", offer.nonce())
            .put("enforcerId", offer.enforcerId())
            .put("enforcerKey", offer.enforcerKey())
            .put("enforcerLabel", offer.enforcerLabel())
            .put("workspaceName", offer.workspaceName())
            .put("approverId", device.approverId())
            .put("deviceId", device.deviceId())
            .put("kxPub", device.kxPub())
            .put("kid", device.kid())
            .put("signPub", device.signPub())
            .put("approverNonce", device.approverNonce());
    json.set("capabilities", device.capabilities());
    return json;
  }

  /** Opens an Ed25519 key that is canonical, on the curve, and in its subgroup of prime order. */
  private static VerificationKey signingKey(String member, String text) throws HarpException {
    byte[] key = ByteText.decode(member, text, Ed25519.PUBLIC_KEY_SIZE);
    if (!Ed25519.validatePublicKeyFull(key, 0)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED,
          "key",
          "The member " + member + " is no Ed25519 key that can be used.");
    }
    return VerificationKey.of(key, KeyValidity.UNBOUNDED);
  }

  /** Returns the enforcer's half. */
  public PairingOffer offer() {
    return offer;
  }

  /** Returns the approver's half. */
  public PairingDevice device() {
    return device;
  }

  /** Returns the device's signing key, whose bytes were validated. */
  public VerificationKey signingKey() {
    return signingKey;
  }

  /** Returns the canonical bytes. */
  public byte[] canonical() {
    return canonical.clone();
  }

  /** Returns the SHA-256 of the canonical bytes. */
  public Sha256 hash() {
    return hash;
  }

  /** Returns the bytes of the pairing's nonce. */
  byte[] nonce() {
    return nonce.clone();
  }

  @Override
  public String toString() {
    return "PairingTranscript["
        + device.approverId()
        + ", "
        + device.deviceId()
        + ", "
        + hash
        + "]";
  }
}
