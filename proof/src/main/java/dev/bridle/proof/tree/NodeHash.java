package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;

/** The hashes of RFC 9162, section 2.1.1, over entries that are 32-byte hashes themselves. */
final class NodeHash {
  /** The root of a tree without entries. */
  static final Sha256 EMPTY = Sha256.of();

  private static final byte[] LEAF = {0};
  private static final byte[] NODE = {1};

  private NodeHash() {}

  static Sha256 leaf(Sha256 entry) {
    return Sha256.of(LEAF, entry.bytes());
  }

  static Sha256 node(Sha256 left, Sha256 right) {
    return Sha256.of(NODE, left.bytes(), right.bytes());
  }
}
