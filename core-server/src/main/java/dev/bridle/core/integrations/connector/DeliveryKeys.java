package dev.bridle.core.integrations.connector;

import java.util.HexFormat;
import java.util.Optional;

/**
 * The keys by which duplicates of a delivery are recognized.
 *
 * @param dedupe the dedupe key
 * @param signature a key derived from the signature, which covers body and time; empty if the
 *     signature covers the dedupe key, or the delivery is not signed
 */
record DeliveryKeys(String dedupe, Optional<String> signature) {
  /** Returns the keys of a delivery whose dedupe key can't be forged. */
  static DeliveryKeys of(String dedupe) {
    return new DeliveryKeys(dedupe, Optional.empty());
  }

  /** Returns the keys of a delivery whose dedupe key could be changed in a replay. */
  static DeliveryKeys signed(String dedupe, byte[] signature) {
    return new DeliveryKeys(
        dedupe,
        Optional.of("signature:" + HexFormat.of().formatHex(DeliveryStore.sha256(signature))));
  }
}
