package dev.bridle.proof.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.proof.hash.Sha256;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All trees of up to some entries, against the definitions of RFC 9162. */
final class MerkleTreeTest {
  private static final int SIZE = 40;

  private final List<Sha256> entries = new ArrayList<>();
  private final List<MerklePeaks> trees = new ArrayList<>();
  private final ReferenceTree.Nodes nodes = new ReferenceTree.Nodes();

  @BeforeEach
  void grow() {
    MerklePeaks tree = MerklePeaks.EMPTY;
    trees.add(tree);
    for (int i = 0; i < SIZE; i++) {
      Sha256 entry = Sha256.of(("entry " + i).getBytes(US_ASCII));
      entries.add(entry);
      tree = tree.append(entry, nodes);
      trees.add(tree);
    }
  }

  @Test
  void theRootIsThatOfTheDefinition() {
    for (int size = 0; size <= SIZE; size++) {
      assertThat(trees.get(size).root()).isEqualTo(ReferenceTree.root(entries.subList(0, size)));
      assertThat(trees.get(size).peaks()).hasSize(Integer.bitCount(size));
    }
  }

  @Test
  void anInclusionProofIsThatOfTheDefinitionAndVerifies() {
    for (int size = 1; size <= SIZE; size++) {
      Sha256 root = trees.get(size).root();
      for (int index = 0; index < size; index++) {
        InclusionProof proof = InclusionProof.of(index, size, nodes);

        assertThat(proof.path()).isEqualTo(ReferenceTree.path(index, entries.subList(0, size)));
        assertThat(proof.verifies(entries.get(index), root)).isTrue();
      }
    }
  }

  @Test
  void anInclusionProofOfAnythingElseDoesNotVerify() {
    for (int size = 1; size <= SIZE; size++) {
      Sha256 root = trees.get(size).root();
      for (int index = 0; index < size; index++) {
        InclusionProof proof = InclusionProof.of(index, size, nodes);
        Sha256 entry = entries.get(index);

        assertThat(proof.verifies(root, root)).isFalse();
        assertThat(proof.verifies(entry, trees.get(size - 1).root())).isFalse();
        for (int other = 0; other < size; other++) {
          InclusionProof moved = new InclusionProof(other, size, proof.path());
          assertThat(moved.verifies(entry, root)).isEqualTo(other == index);
        }
        for (List<Sha256> path : changed(proof.path(), root)) {
          assertThat(new InclusionProof(index, size, path).verifies(entry, root)).isFalse();
        }
      }
    }
  }

  @Test
  void aConsistencyProofIsThatOfTheDefinitionAndVerifies() {
    for (int second = 1; second <= SIZE; second++) {
      for (int first = 1; first <= second; first++) {
        ConsistencyProof proof = ConsistencyProof.of(first, second, nodes);

        assertThat(proof.path()).isEqualTo(ReferenceTree.proof(first, entries.subList(0, second)));
        assertThat(proof.verifies(trees.get(first).root(), trees.get(second).root())).isTrue();
      }
    }
  }

  @Test
  void aConsistencyProofOfAnythingElseDoesNotVerify() {
    for (int second = 1; second <= SIZE; second++) {
      for (int first = 1; first <= second; first++) {
        ConsistencyProof proof = ConsistencyProof.of(first, second, nodes);
        Sha256 earlier = trees.get(first).root();
        Sha256 later = trees.get(second).root();

        assertThat(proof.verifies(trees.get(first - 1).root(), later)).isFalse();
        assertThat(proof.verifies(earlier, trees.get(second - 1).root())).isFalse();
        for (List<Sha256> path : changed(proof.path(), earlier)) {
          assertThat(new ConsistencyProof(first, second, path).verifies(earlier, later)).isFalse();
        }
      }
    }
  }

  /** Returns the path with each hash changed, the last one left out, and one added. */
  private static List<List<Sha256>> changed(List<Sha256> path, Sha256 other) {
    List<List<Sha256>> all = new ArrayList<>();
    for (int i = 0; i < path.size(); i++) {
      List<Sha256> one = new ArrayList<>(path);
      one.set(i, Sha256.of(path.get(i).bytes()));
      all.add(one);
    }
    if (!path.isEmpty()) {
      all.add(path.subList(0, path.size() - 1));
    }
    List<Sha256> longer = new ArrayList<>(path);
    longer.add(other);
    all.add(longer);
    return all;
  }

  @Test
  void proofsAndPeaksThatCannotBeAreRejected() {
    List<Sha256> none = List.of();
    assertThatThrownBy(() -> new MerklePeaks(3, entries.subList(0, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MerklePeaks(-1, entries))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new InclusionProof(3, 3, none))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new InclusionProof(-1, 3, none))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ConsistencyProof(0, 3, none))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ConsistencyProof(4, 3, none))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
