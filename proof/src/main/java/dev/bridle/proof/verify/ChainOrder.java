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

  /** How many receipts of the chain there are up to one, itself included. */
  private final Map<Integer, Long> counts = new HashMap<>();

  private final List<StatedEnd> ends;
  private long proven;
  private final boolean isPartial;

  /**
   * Compares the entries.
   *
   * @param end the position after the last receipt of the list, of which entries may be left out
   */
  ChainOrder(List<ChainEntry> entries, List<StatedEnd> ends, int end) {
    this.ends = ends;
    this.isPartial = ends.stream().anyMatch(StatedEnd::isPartial);
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
    ends.forEach(stated -> compareEnd(stated.end(), end));
  }

  List<ChainFault> faults() {
    return faults;
  }

  /** Returns whether a proven end is that of the list: nothing is missing, and nothing is newer. */
  boolean isEndProven() {
    return ends.stream().anyMatch(StatedEnd::isProven)
        && !isPartial
        && counts.values().stream().allMatch(count -> count <= proven)
        && proven == counts.size();
  }

  /** Returns whether a receipt is older than a proven end of its chain. */
  boolean isCovered(int position) {
    return counts.containsKey(position) && counts.get(position) <= proven;
  }

  private void compareWithPrevious(ChainEntry entry) {
    if (entry.previous().isEmpty()) {
      return;
    }
    ChainEntry previous = byHash.get(entry.previous().get());
    if (previous == null && isPartial) {
      return; // The issuer says so: this is consistent, and proves no beginning.
    }
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
      counts.put(entry.position(), after.count());
      ends.forEach(end -> compareEnd(end, entry, after));
      openBranches(Optional.of(entry.hash()), after, open);
    }
  }

  private record Branch(ChainHead before, ChainEntry next) {}

  private void openBranches(Optional<Sha256> previous, ChainHead before, Deque<Branch> open) {
    for (ChainEntry next : successors.getOrDefault(previous, List.of())) {
      open.add(new Branch(before, next));
    }
  }

  private void compareEnd(StatedEnd stated, ChainEntry entry, ChainHead after) {
    ChainEnd end = stated.end();
    if (end.first().isPresent() && after.count() == 1 && !end.first().equals(after.last())) {
      faults.add(entry.fault(Kind.WRONG_ROOT, "the chain is said to begin with another receipt"));
    }
    if (!end.last().equals(after.last())) {
      return;
    }
    if (end.count() != after.count() || !end.root().equals(after.peaks().root())) {
      faults.add(
          entry.fault(
              Kind.WRONG_ROOT,
              "the expected end has " + end.count() + " receipts and another root"));
    } else if (stated.isProven()) {
      proven = Math.max(proven, end.count());
    }
  }

  private void compareEnd(ChainEnd end, int position) {
    if (end.last().isPresent() && !byHash.containsKey(end.last().get())) {
      faults.add(
          new ChainFault(
              Kind.DROPPED,
              position,
              "",
              "the newest receipt, " + end.last().get() + " of " + end.count() + ", is missing"));
    }
  }
}
