package dev.bridle.core.kernel.signing;

import com.nimbusds.jose.jwk.OctetKeyPair;
import java.util.OptionalLong;

/**
 * A signing key as everybody may know it.
 *
 * @param purpose what it signs
 * @param key the Ed25519 public key, with its id
 * @param createdAt when it was made, in Unix milliseconds
 * @param retiredAt when another took its place, in Unix milliseconds
 * @param endsAt from when on it verifies nothing, in Unix milliseconds
 */
public record SigningKey(
    SigningPurpose purpose,
    OctetKeyPair key,
    long createdAt,
    OptionalLong retiredAt,
    OptionalLong endsAt) {

  /** Returns the key's id. */
  public String id() {
    return key.getKeyID();
  }

  boolean verifiesAt(long millis) {
    return endsAt.isEmpty() || millis < endsAt.getAsLong();
  }
}
