package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;
import java.util.List;

/**
 * Proves that a tree holds an entry at an index (RFC 9162, section 2.1.3).
 *
 * @param index of the entry, from 0
 * @param size of the tree
 * @param path the neighbors' hashes, from the leaf up
 */
public record InclusionProof(long index, long size, List<Sha256> path) {
  /**
   * Takes a proof that may come from anywhere.
   *
   * @throws IllegalArgumentException if the index is not in the tree
   */
  public InclusionProof {
    if (index < 0 || index >= size) {
      throw new IllegalArgumentException(
          "Index " + index + " is not in a tree of " + size + " entries.");
    }
    path = List.copyOf(path);
  }

  /** Makes the proof from the nodes of a tree that has the size, or more entries. */
  public static InclusionProof of(long index, long size, NodeSource nodes) {
    return new InclusionProof(index, size, new Subtrees(nodes).inclusion(index, size));
  }

  /** Returns whether the tree with this root holds the entry at the index. */
  public boolean verifies(Sha256 entry, Sha256 root) {
    long node = index;
    long last = size - 1;
    Sha256 hash = NodeHash.leaf(entry);
    for (Sha256 next : path) {
      if (last == 0) {
        return false;
      }
      if ((node & 1) == 1 || node == last) {
        hash = NodeHash.node(next, hash);
        while ((node & 1) == 0 && node != 0) {
          node >>= 1;
          last >>= 1;
        }
      } else {
        hash = NodeHash.node(hash, next);
      }
      node >>= 1;
      last >>= 1;
    }
    return last == 0 && hash.equals(root);
  }
}
