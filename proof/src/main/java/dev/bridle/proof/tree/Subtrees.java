package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;
import java.util.ArrayList;
import java.util.List;

/** The recursive definitions of RFC 9162, sections 2.1.3.1 and 2.1.4.1, over complete nodes. */
final class Subtrees {
  private final NodeSource nodes;

  Subtrees(NodeSource nodes) {
    this.nodes = nodes;
  }

  List<Sha256> inclusion(long index, long size) {
    List<Sha256> path = new ArrayList<>();
    include(index, 0, size, path);
    return path;
  }

  private void include(long index, long from, long to, List<Sha256> path) {
    if (to - from == 1) {
      return;
    }
    long middle = from + split(to - from);
    if (index < middle) {
      include(index, from, middle, path);
      path.add(hash(middle, to));
    } else {
      include(index, middle, to, path);
      path.add(hash(from, middle));
    }
  }

  List<Sha256> consistency(long first, long second) {
    List<Sha256> path = new ArrayList<>();
    if (first < second) {
      extend(first, 0, second, true, path);
    }
    return path;
  }

  /** Here {@code whole} says that the earlier tree is the subtree that began at 0. */
  private void extend(long first, long from, long to, boolean whole, List<Sha256> path) {
    if (first == to) {
      if (!whole) {
        path.add(hash(from, to));
      }
      return;
    }
    long middle = from + split(to - from);
    if (first <= middle) {
      extend(first, from, middle, whole, path);
      path.add(hash(middle, to));
    } else {
      extend(first, middle, to, false, path);
      path.add(hash(from, middle));
    }
  }

  /** Returns the hash over entries; they begin where a complete subtree of that size may begin. */
  private Sha256 hash(long from, long to) {
    long size = to - from;
    if (Long.bitCount(size) == 1) {
      int level = Long.numberOfTrailingZeros(size);
      return nodes.node(level, from >> level);
    }
    long middle = from + split(size);
    return NodeHash.node(hash(from, middle), hash(middle, to));
  }

  /** Returns the largest power of two below a size of at least two. */
  private static long split(long size) {
    return Long.highestOneBit(size - 1);
  }
}
