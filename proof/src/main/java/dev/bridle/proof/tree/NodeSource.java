package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;

/** The complete nodes of a tree, as {@link MerklePeaks.NodeSink} received them. */
@FunctionalInterface
public interface NodeSource {
  /**
   * Returns a complete node's hash.
   *
   * @param level 0 for leaves
   * @param index the number of the node within its level, from the left
   * @throws IllegalArgumentException if the tree has no such node
   */
  Sha256 node(int level, long index);
}
