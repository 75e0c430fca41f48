package dev.bridle.proof.verify;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import java.util.Optional;

/**
 * How far a chain is said to reach.
 *
 * @param count how many receipts it has
 * @param first the hash of the first; empty: not said
 * @param last the hash of the last; empty: there is none
 * @param root the root over all of them (RFC 9162)
 */
public record ChainEnd(long count, Optional<Sha256> first, Optional<Sha256> last, Sha256 root) {
  /** Returns the end that a head is. */
  public static ChainEnd of(ChainHead head) {
    return new ChainEnd(head.count(), Optional.empty(), head.last(), head.peaks().root());
  }
}
