package dev.bridle.harp.seal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import java.security.SecureRandom;

/**
 * The keys of an approver's device: one that signs decisions, one for which payloads are sealed.
 * Their text has no secret.
 */
public final class DeviceKeys {
  private final String deviceId;
  private final byte[] seed;
  private final SigningKey signing;
  private final AgreementKey agreement;

  DeviceKeys(String deviceId, byte[] seed, AgreementKey agreement) {
    this.deviceId = deviceId;
    this.seed = seed.clone();
    this.signing = SigningKey.ofSeed(seed);
    this.agreement = agreement;
  }

  /** Makes the keys of a new device, whose ids are no options where they stand in a command. */
  public static DeviceKeys create(SecureRandom random) {
    DeviceKeys made = createAny(random);
    while (made.deviceId().startsWith("-") || made.signerKeyId().startsWith("-")) {
      made = createAny(random);
    }
    return made;
  }

  private static DeviceKeys createAny(SecureRandom random) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    byte[] seed = new byte[32];
    random.nextBytes(seed);
    return new DeviceKeys(Base64Url.encode(id), seed, AgreementKey.create(random));
  }

  /** Returns the name of the device. */
  public String deviceId() {
    return deviceId;
  }

  /** Returns by which enforcers know the signing key: its RFC 7638 thumbprint. */
  public String signerKeyId() {
    return signing.id();
  }

  /** Returns the key that signs decisions. */
  public SigningKey signing() {
    return signing;
  }

  /** Returns the key for which payloads are sealed. */
  public AgreementKey agreement() {
    return agreement;
  }

  byte[] seed() {
    return seed.clone();
  }

  /**
   * Returns what enforcers need to know: {@code deviceId}, {@code signerKeyId}, the public keys in
   * base64url, their fingerprints to compare by eye, and that this software opens extensions.
   */
  public ObjectNode publicHalves() {
    byte[] signs = signing.verificationKey(KeyValidity.UNBOUNDED).publicKey();
    byte[] agrees = agreement.publicKey();
    return JsonNodeFactory.instance
        .objectNode()
        .put("deviceId", deviceId)
        .put("signerKeyId", signerKeyId())
        .put("signingKey", Base64Url.encode(signs))
        .put("signingKeyFingerprint", Sha256.of(signs).toString())
        .put("agreementKey", Base64Url.encode(agrees))
        .put("agreementKeyFingerprint", Sha256.of(agrees).toString())
        .put("opensExtensions", true);
  }

  @Override
  public String toString() {
    return "DeviceKeys[" + deviceId + ", " + signerKeyId() + "]";
  }
}
