package dev.bridle.core.integrations.connector;

import java.util.HexFormat;
import java.util.Optional;

/**
 * What a delivery is known by.
 *
 * @param dedupe its dedupe key
 * @param signature a key made of its signature, which covers its body and its time; empty where the
 *     dedupe key is covered by the signature, or nothing is signed
 */
record DeliveryKeys(String dedupe, Optional<String> signature) {
  /** Returns the keys of a delivery whose dedupe key nobody can change. */
  static DeliveryKeys of(String dedupe) {
    return new DeliveryKeys(dedupe, Optional.empty());
  }

  /** Returns the keys of a delivery whose dedupe key whoever sends it again may have changed. */
  static DeliveryKeys signed(String dedupe, byte[] signature) {
    return new DeliveryKeys(
        dedupe,
        Optional.of("signature:" + HexFormat.of().formatHex(DeliveryStore.sha256(signature))));
  }
}
