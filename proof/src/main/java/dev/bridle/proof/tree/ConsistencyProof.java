package dev.bridle.proof.tree;

import dev.bridle.proof.hash.Sha256;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Proves that a tree begins with the entries of an earlier one (RFC 9162, section 2.1.4).
 *
 * @param first the size of the earlier tree
 * @param second the size of the later tree
 * @param path hashes of subtrees
 */
public record ConsistencyProof(long first, long second, List<Sha256> path) {
  /**
   * Takes a proof that may come from anywhere.
   *
   * @throws IllegalArgumentException if the sizes are not those of an earlier tree with entries and
   *     a later one
   */
  public ConsistencyProof {
    if (first < 1 || second < first) {
      throw new IllegalArgumentException(
          "A tree of " + second + " entries does not follow one of " + first + ".");
    }
    path = List.copyOf(path);
  }

  /** Makes the proof from the nodes of a tree that has the second size, or more entries. */
  public static ConsistencyProof of(long first, long second, NodeSource nodes) {
    return new ConsistencyProof(first, second, new Subtrees(nodes).consistency(first, second));
  }

  /** Returns whether both roots are of such trees. */
  public boolean verifies(Sha256 firstRoot, Sha256 secondRoot) {
    if (first == second) {
      return path.isEmpty() && firstRoot.equals(secondRoot);
    }
    List<Sha256> hashes = new ArrayList<>(path);
    if (Long.bitCount(first) == 1) {
      hashes.add(0, firstRoot);
    }
    if (hashes.isEmpty()) {
      return false;
    }
    long node = first - 1;
    long last = second - 1;
    while ((node & 1) == 1) {
      node >>= 1;
      last >>= 1;
    }
    Iterator<Sha256> rest = hashes.iterator();
    Sha256 earlier = rest.next();
    Sha256 later = earlier;
    while (rest.hasNext()) {
      Sha256 next = rest.next();
      if (last == 0) {
        return false;
      }
      if ((node & 1) == 1 || node == last) {
        earlier = NodeHash.node(next, earlier);
        later = NodeHash.node(next, later);
        while ((node & 1) == 0 && node != 0) {
          node >>= 1;
          last >>= 1;
        }
      } else {
        later = NodeHash.node(later, next);
      }
      node >>= 1;
      last >>= 1;
    }
    return last == 0 && earlier.equals(firstRoot) && later.equals(secondRoot);
  }
}
