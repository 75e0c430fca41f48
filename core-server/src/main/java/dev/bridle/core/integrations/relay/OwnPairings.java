package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.PairingRecord;

/** What the enforcer beside the relay does with the devices that complete its pairings. */
public interface OwnPairings {
  /**
   * Checks a device, and enrols it if it has proven that it was shown the secret. A failure leaves
   * the pairing open.
   *
   * @param pairing a pairing with an order, as the relay has completed it in this transaction
   * @return the pairing as it is stored
   */
  PairingRecord completed(Write write, PairingRecord pairing);
}
