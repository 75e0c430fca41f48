package dev.bridle.proof.verify;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import java.util.Optional;

/**
 * What a verifier knows of the receipts before the one that it verifies. It has to come from
 * receipts that were verified themselves.
 *
 * @param previous the hash of the receipt right before it, where that one is known
 * @param chain the session's chain up to there, where all earlier receipts are known
 */
public record History(Optional<Sha256> previous, Optional<ChainHead> chain) {
  /** Nothing is known. */
  public static final History UNKNOWN = new History(Optional.empty(), Optional.empty());

  /** Only the receipt right before it is known. */
  public static History after(Sha256 previous) {
    return new History(Optional.of(previous), Optional.empty());
  }

  /** All earlier receipts of the session are known; there may be none. */
  public static History of(ChainHead chain) {
    return new History(chain.last(), Optional.of(chain));
  }
}
