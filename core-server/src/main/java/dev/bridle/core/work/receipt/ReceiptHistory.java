package dev.bridle.core.work.receipt;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.tree.MerklePeaks;
import dev.bridle.proof.verify.History;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** Finds what came before a receipt in its chain, in a few reads however long the chain is. */
public final class ReceiptHistory {
  private final ReceiptStore store;

  public ReceiptHistory(ReceiptStore store) {
    this.store = store;
  }

  /** Returns the history of a receipt; unknown where this storage lacks earlier receipts. */
  public History before(ReadTransaction tr, String tenant, ReceiptRecord record, Receipt receipt) {
    Optional<ReceiptChainRecord> chain = store.chain(tr, tenant, record.getSessionId());
    if (chain.map(ReceiptChainRecord::getPartial).orElse(true)) {
      return History.UNKNOWN;
    }
    if (record.getIndex() == 0) {
      return History.of(ChainHead.EMPTY);
    }
    SessionTree tree = new SessionTree(store, tr, tenant, record.getSessionId());
    try {
      return History.of(
          new ChainHead(
              Optional.of(previous(tree, record, receipt)), tree.peaks(record.getIndex())));
    } catch (SessionTree.MissingNodeException e) {
      return History.UNKNOWN;
    }
  }

  /**
   * Returns the hash of the receipt before one: the one that it claims, if that is the tree's leaf,
   * and else another, so that the check of the link fails.
   */
  private static Sha256 previous(SessionTree tree, ReceiptRecord record, Receipt receipt) {
    Sha256 leaf = tree.node(0, record.getIndex() - 1);
    return receipt
        .chain()
        .previousReceiptHash()
        .filter(claimed -> MerklePeaks.EMPTY.append(claimed).root().equals(leaf))
        .orElse(leaf);
  }
}
