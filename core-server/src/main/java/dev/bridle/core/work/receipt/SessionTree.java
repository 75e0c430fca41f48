package dev.bridle.core.work.receipt;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.tree.InclusionProof;
import dev.bridle.proof.tree.MerklePeaks;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * The tree over the receipts of one session, read from its stored nodes in one transaction.
 *
 * @param receipts stores the nodes
 * @param tr the transaction
 * @param tenant the tenant
 * @param session the session
 */
public record SessionTree(
    ReceiptStore receipts, ReadTransaction tr, String tenant, String session) {

  /** A node is not stored, since the chain was imported in parts. */
  public static final class MissingNodeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingNodeException(String session) {
      super("A node of the tree of session " + session + " is not stored here.");
    }
  }

  /**
   * Returns the tree over the first receipts.
   *
   * @throws MissingNodeException if a node is not stored
   */
  public MerklePeaks peaks(long size) {
    List<Sha256> peaks = new ArrayList<>();
    long offset = 0;
    for (int level = Long.SIZE - 1 - Long.numberOfLeadingZeros(size); level >= 0; level--) {
      if ((size >> level & 1) == 1) {
        peaks.add(node(level, offset >> level));
        offset += 1L << level;
      }
    }
    return new MerklePeaks(size, peaks);
  }

  /**
   * Returns the hashes of the neighbors of a receipt from the leaf up.
   *
   * @throws MissingNodeException if a node is not stored
   */
  public List<Sha256> path(long index, long size) {
    return InclusionProof.of(index, size, this::node).path();
  }

  /** Returns the hash of a complete node. */
  Sha256 node(int level, long index) {
    return receipts
        .node(tr, tenant, session, level, index)
        .orElseThrow(() -> new MissingNodeException(session));
  }
}
