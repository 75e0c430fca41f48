package dev.bridle.harp.pairing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import java.security.SecureRandom;

/**
 * The approver's half of a pairing, as it completes one. Immutable. Checked by {@link
 * PairingTranscript#of}.
 *
 * @param approverId the approver's id at the relay
 * @param deviceId the id of the device
 * @param kxPub the key for which payloads are sealed, an X25519 public key in base64url
 * @param kid by which id enforcers know the signing key
 * @param signPub the key that signs decisions, an Ed25519 public key in base64url
 * @param approverNonce 16 random bytes in base64url, chosen after the offer was received
 * @param capabilities what the device declares, such as extensions
 */
public record PairingDevice(
    String approverId,
    String deviceId,
    String kxPub,
    String kid,
    String signPub,
    String approverNonce,
    ObjectNode capabilities) {
  /** The number of bytes of the approver's nonce. */
  public static final int APPROVER_NONCE_BYTES = 16;

  /** Creates it. */
  public PairingDevice {
    capabilities = capabilities.deepCopy();
  }

  /**
   * Creates it for a device's keys with a fresh nonce. Call this after the offer was received, once
   * per pairing: a relay that knows the nonce before it makes the offer can search for one with an
   * equal short code.
   */
  public static PairingDevice create(
      DeviceKeys keys, String approverId, ObjectNode capabilities, SecureRandom random) {
    byte[] nonce = new byte[APPROVER_NONCE_BYTES];
    random.nextBytes(nonce);
    return new PairingDevice(
        approverId,
        keys.deviceId(),
        Base64Url.encode(keys.agreement().publicKey()),
        keys.signerKeyId(),
        Base64Url.encode(keys.signing().verificationKey(KeyValidity.UNBOUNDED).publicKey()),
        Base64Url.encode(nonce),
        capabilities);
  }

  /** Returns a copy of what the device declares. */
  @Override
  public ObjectNode capabilities() {
    return capabilities.deepCopy();
  }
}
