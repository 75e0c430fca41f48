package dev.bridle.core.kernel.signing;

import com.google.protobuf.ByteString;
import com.nimbusds.jose.jwk.OctetKeyPair;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A signing key without its private half.
 *
 * @param purpose what it signs
 * @param key the Ed25519 public key, with its id
 * @param createdAt when it was created, in Unix milliseconds
 * @param retiredAt when it was replaced, in Unix milliseconds
 * @param endsAt when it stops verifying, in Unix milliseconds
 * @param compromise that others may have had its private half, if that was declared
 * @param succession the statement by which the key before it names it its successor, with the
 *     signature, as JSON; empty where there is none
 */
public record SigningKey(
    SigningPurpose purpose,
    OctetKeyPair key,
    long createdAt,
    OptionalLong retiredAt,
    OptionalLong endsAt,
    Optional<Compromise> compromise,
    ByteString succession) {
  /**
   * That others may have had a key.
   *
   * @param since since when, in Unix milliseconds
   * @param declaredAt when that was declared, in Unix milliseconds
   */
  public record Compromise(long since, long declaredAt) {}

  /** Returns the key's id. */
  public String id() {
    return key.getKeyID();
  }

  boolean verifiesAt(long millis) {
    return endsAt.isEmpty() || millis < endsAt.getAsLong();
  }
}
