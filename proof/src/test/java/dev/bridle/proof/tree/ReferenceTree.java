package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The definitions of RFC 9162, section 2.1, word for word over all entries. */
final class ReferenceTree {
  private ReferenceTree() {}

  static Sha256 root(List<Sha256> entries) {
    if (entries.isEmpty()) {
      return Sha256.of();
    }
    if (entries.size() == 1) {
      return Sha256.of(new byte[] {0}, entries.get(0).bytes());
    }
    int k = split(entries.size());
    return Sha256.of(
        new byte[] {1},
        root(entries.subList(0, k)).bytes(),
        root(entries.subList(k, entries.size())).bytes());
  }

  static List<Sha256> path(int index, List<Sha256> entries) {
    if (entries.size() == 1) {
      return new ArrayList<>();
    }
    int k = split(entries.size());
    List<Sha256> left = entries.subList(0, k);
    List<Sha256> right = entries.subList(k, entries.size());
    List<Sha256> path = index < k ? path(index, left) : path(index - k, right);
    path.add(root(index < k ? right : left));
    return path;
  }

  static List<Sha256> proof(int first, List<Sha256> entries) {
    return first == entries.size() ? List.of() : subproof(first, entries, true);
  }

  private static List<Sha256> subproof(int first, List<Sha256> entries, boolean whole) {
    List<Sha256> proof = new ArrayList<>();
    if (first == entries.size()) {
      if (!whole) {
        proof.add(root(entries));
      }
      return proof;
    }
    int k = split(entries.size());
    List<Sha256> left = entries.subList(0, k);
    List<Sha256> right = entries.subList(k, entries.size());
    if (first <= k) {
      proof.addAll(subproof(first, left, whole));
      proof.add(root(right));
    } else {
      proof.addAll(subproof(first - k, right, false));
      proof.add(root(left));
    }
    return proof;
  }

  private static int split(int size) {
    return Integer.highestOneBit(size - 1);
  }

  /** Keeps complete nodes, as storage does. */
  static final class Nodes implements NodeSource, MerklePeaks.NodeSink {
    private final Map<String, Sha256> nodes = new HashMap<>();

    @Override
    public void node(int level, long index, Sha256 hash) {
      if (nodes.put(level + "/" + index, hash) != null) {
        throw new IllegalStateException("node " + level + "/" + index + " is complete twice");
      }
    }

    @Override
    public Sha256 node(int level, long index) {
      Sha256 hash = nodes.get(level + "/" + index);
      if (hash == null) {
        throw new IllegalArgumentException("node " + level + "/" + index + " is not complete");
      }
      return hash;
    }
  }
}
