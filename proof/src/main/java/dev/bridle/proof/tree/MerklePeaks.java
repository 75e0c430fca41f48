package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;
import java.util.ArrayList;
import java.util.List;

/**
 * What a tree needs in order to grow: the number of its entries, and the root of each complete
 * subtree from left to right, one for each bit that is set in the number. Immutable.
 *
 * @param size the number of entries
 * @param peaks the subtrees' roots, the largest subtree first
 */
public record MerklePeaks(long size, List<Sha256> peaks) {
  /** A tree without entries. */
  public static final MerklePeaks EMPTY = new MerklePeaks(0, List.of());

  /**
   * Takes peaks as they were stored.
   *
   * @throws IllegalArgumentException if the size calls for another number of peaks
   */
  public MerklePeaks {
    if (size < 0 || Long.bitCount(size) != peaks.size()) {
      throw new IllegalArgumentException(
          "A tree of " + size + " entries does not have " + peaks.size() + " peaks.");
    }
    peaks = List.copyOf(peaks);
  }

  /** Receives the nodes that an entry completes; what is stored of them makes proofs possible. */
  @FunctionalInterface
  public interface NodeSink {
    /**
     * Takes a complete node.
     *
     * @param level 0 for leaves
     * @param index the number of the node within its level, from the left
     */
    void node(int level, long index, Sha256 hash);
  }

  /** Returns the tree with one more entry. */
  public MerklePeaks append(Sha256 entry) {
    return append(entry, (level, index, hash) -> {});
  }

  /** Returns the tree with one more entry, and passes on each node that becomes complete. */
  public MerklePeaks append(Sha256 entry, NodeSink completed) {
    List<Sha256> grown = new ArrayList<>(peaks);
    Sha256 hash = NodeHash.leaf(entry);
    completed.node(0, size, hash);
    int level = 0;
    for (long rest = size; (rest & 1) == 1; rest >>= 1) {
      hash = NodeHash.node(grown.remove(grown.size() - 1), hash);
      level++;
      completed.node(level, size >> level, hash);
    }
    grown.add(hash);
    return new MerklePeaks(size + 1, grown);
  }

  /** Returns the root over all entries. */
  public Sha256 root() {
    if (peaks.isEmpty()) {
      return NodeHash.EMPTY;
    }
    Sha256 root = peaks.get(peaks.size() - 1);
    for (int i = peaks.size() - 2; i >= 0; i--) {
      root = NodeHash.node(peaks.get(i), root);
    }
    return root;
  }
}
