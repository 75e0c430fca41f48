package dev.bridle.core.kernel.signing;

import com.google.protobuf.ByteString;
import com.nimbusds.jose.jwk.OctetKeyPair;

/** Makes the statement by which a key names the one that takes its place. */
@FunctionalInterface
public interface SuccessionSigner {
  /**
   * Returns the statement with its signature, as JSON; empty for none.
   *
   * @param old the key that has signed until now, which was not declared compromised
   * @param next the public half of the new key
   * @param nowMillis when the new key takes its place, in Unix milliseconds
   */
  ByteString signed(SigningKeys.Sealed old, OctetKeyPair next, long nowMillis);
}
