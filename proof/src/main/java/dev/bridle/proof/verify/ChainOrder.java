package dev.bridle.proof.verify;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.verify.ChainFault.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How the receipts of a list follow each other. */
final class ChainOrder {
  private final List<ChainFault> faults = new ArrayList<>();
  private final Map<Sha256, ChainEntry> byHash = new LinkedHashMap<>();

  /** The receipts that follow one, or none, in the order of the list. */
  private final Map<Optional<Sha256>, List<ChainEntry>> successors = new HashMap<>();

  private final Optional<ChainHead> expected;

  ChainOrder(List<ChainEntry> entries, Optional<ChainHead> expected) {
    this.expected = expected;
    for (ChainEntry entry : entries) {
      if (!entry.session().equals(entries.get(0).session())) {
        faults.add(entry.fault(Kind.OTHER_SESSION, "it is of session " + entry.session()));
      } else if (byHash.putIfAbsent(entry.hash(), entry) != null) {
        faults.add(
            entry.fault(
                Kind.REPEATED, "it is at " + byHash.get(entry.hash()).position() + " already"));
      } else {
        successors.computeIfAbsent(entry.previous(), previous -> new ArrayList<>()).add(entry);
      }
    }
    byHash.values().forEach(this::compareWithPrevious);
    successors.values().forEach(this::compareSuccessors);
    followRoots();
    expected.ifPresent(head -> compareEnd(head, entries.size()));
  }

  List<ChainFault> faults() {
    return faults;
  }

  private void compareWithPrevious(ChainEntry entry) {
    if (entry.previous().isEmpty()) {
      return;
    }
    ChainEntry previous = byHash.get(entry.previous().get());
    if (previous == null) {
      faults.add(
          entry.fault(
              Kind.DROPPED, "the receipt before it, " + entry.previous().get() + ", is missing"));
      return;
    }
    if (previous.position() > entry.position()) {
      faults.add(
          entry.fault(Kind.SWAPPED, "the receipt before it comes at " + previous.position()));
    }
    if (entry.place().isPresent()
        && previous.place().isPresent()
        && entry.place().get().index() != previous.place().get().index() + 1) {
      faults.add(
          entry.fault(
              Kind.WRONG_INDEX,
              "index " + entry.place().get().index() + " after " + previous.place().get().index()));
    }
    if (entry.era() < previous.era()) {
      faults.add(entry.fault(Kind.WRONG_ERA, "era " + entry.era() + " after " + previous.era()));
    }
  }

  private void compareSuccessors(List<ChainEntry> siblings) {
    Set<Long> eras = new HashSet<>();
    for (ChainEntry entry : siblings) {
      if (!eras.add(entry.era())) {
        faults.add(
            entry.fault(
                Kind.FORKED, "another receipt of era " + entry.era() + " follows the same one"));
      } else if (eras.size() > 1) {
        faults.add(
            entry.fault(
                Kind.HISTORY_DIVIDED, "a receipt of another era follows the same one: a restore"));
      }
    }
  }

  /** Compares roots along the links; a receipt whose earlier ones are not all there is left out. */
  private void followRoots() {
    Deque<Branch> open = new ArrayDeque<>();
    openBranches(Optional.empty(), ChainHead.EMPTY, open);
    while (!open.isEmpty()) {
      Branch branch = open.remove();
      ChainEntry entry = branch.next();
      Optional<Sha256> stated = entry.link().merkleRoot();
      if (stated.isPresent() && !stated.get().equals(branch.before().peaks().root())) {
        faults.add(
            entry.fault(Kind.WRONG_ROOT, "the root over the earlier receipts is another one"));
      }
      ChainHead after = branch.before().append(entry.hash());
      compareHead(entry, after);
      openBranches(Optional.of(entry.hash()), after, open);
    }
  }

  private record Branch(ChainHead before, ChainEntry next) {}

  private void openBranches(Optional<Sha256> previous, ChainHead before, Deque<Branch> open) {
    for (ChainEntry next : successors.getOrDefault(previous, List.of())) {
      open.add(new Branch(before, next));
    }
  }

  private void compareHead(ChainEntry entry, ChainHead after) {
    if (expected.isPresent()
        && expected.get().last().equals(after.last())
        && !expected.get().equals(after)) {
      faults.add(
          entry.fault(
              Kind.WRONG_ROOT,
              "the expected head has " + expected.get().count() + " receipts and another root"));
    }
  }

  private void compareEnd(ChainHead head, int position) {
    if (head.last().isPresent() && !byHash.containsKey(head.last().get())) {
      faults.add(
          new ChainFault(
              Kind.DROPPED,
              position,
              "",
              "the newest receipt, " + head.last().get() + " of " + head.count() + ", is missing"));
    }
  }
}
