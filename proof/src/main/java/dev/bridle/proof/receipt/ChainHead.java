package dev.bridle.proof.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.tree.MerklePeaks;
import java.util.Optional;

/**
 * The end of a session's chain: all that the next receipt has to know of the earlier ones, in O(log
 * n). Immutable.
 *
 * @param last the hash of the newest receipt; empty before the first
 * @param peaks the tree over the hashes of all receipts
 */
public record ChainHead(Optional<Sha256> last, MerklePeaks peaks) {
  /** The head of a chain without receipts. */
  public static final ChainHead EMPTY = new ChainHead(Optional.empty(), MerklePeaks.EMPTY);

  /**
   * Takes a head as it was stored.
   *
   * @throws IllegalArgumentException if there is a tree without a last receipt, or the reverse
   */
  public ChainHead {
    if (last.isPresent() == (peaks.size() == 0)) {
      throw new IllegalArgumentException(
          "A chain of " + peaks.size() + " receipts does not end with " + last + ".");
    }
  }

  /** Returns how many receipts the chain has, which is the index of the next one. */
  public long count() {
    return peaks.size();
  }

  /** Returns the head after one more receipt. */
  public ChainHead append(Sha256 receiptHash) {
    return append(receiptHash, (level, index, hash) -> {});
  }

  /** Returns the head after one more receipt, and passes on the tree's nodes that it completes. */
  public ChainHead append(Sha256 receiptHash, MerklePeaks.NodeSink completed) {
    return new ChainHead(Optional.of(receiptHash), peaks.append(receiptHash, completed));
  }

  /**
   * Makes a receipt the next one of the chain: sets its {@code chain} (without the hash, which
   * {@link ReceiptSigner} adds) and the position in its {@code metadata}. The first receipt of a
   * chain has no {@code merkle_root}.
   *
   * @param era the era of the storage
   */
  public void link(ObjectNode receipt, long era) {
    ObjectNode chain = receipt.putObject("chain");
    if (last.isPresent()) {
      chain.put("merkle_root", peaks.root().toString());
      chain.put("previous_receipt_hash", last.get().toString());
    } else {
      chain.putNull("previous_receipt_hash");
    }
    receipt
        .withObjectProperty("metadata")
        .set(ChainPosition.MEMBER, new ChainPosition(count(), era).toJson());
  }
}
