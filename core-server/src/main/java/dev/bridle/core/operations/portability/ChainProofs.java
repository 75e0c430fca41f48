package dev.bridle.core.operations.portability;

import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds the ends of chains in a unit of a file against the receipts that it has: none in the midst
 * of a chain was taken away. That a chain goes on shows only where it goes on. Not thread-safe.
 */
final class ChainProofs {
  private final ImportFaults faults;
  private final Map<String, Seen> receipts = new HashMap<>();
  private final Map<String, ReceiptChainRecord> ends = new HashMap<>();

  /**
   * Begins with no unit.
   *
   * @param faults takes what is found
   */
  ChainProofs(ImportFaults faults) {
    this.faults = faults;
  }

  /**
   * The receipts of a session so far.
   *
   * @param count how many there are
   * @param inOrder whether each stands where the one before it ends, from the first on
   */
  private record Seen(long count, boolean inOrder) {
    private static final Seen NONE = new Seen(0, true);

    Seen plus(long index) {
      return new Seen(count + 1, inOrder && index == count);
    }
  }

  /** Adds a receipt, in the order of its chain. */
  void receipt(ReceiptRecord record) {
    receipts.put(
        record.getSessionId(),
        receipts.getOrDefault(record.getSessionId(), Seen.NONE).plus(record.getIndex()));
  }

  /** Adds the end of a chain. */
  void end(ReceiptChainRecord chain) {
    ends.put(chain.getSessionId(), chain);
  }

  /** Ends the unit. */
  void endOfUnit() {
    ends.forEach(this::judge);
    receipts.keySet().stream().filter(session -> !ends.containsKey(session)).forEach(this::broken);
    receipts.clear();
    ends.clear();
  }

  private void judge(String session, ReceiptChainRecord chain) {
    Seen seen = receipts.getOrDefault(session, Seen.NONE);
    if (!chain.getPartial() && !(seen.inOrder() && seen.count() == chain.getCount())) {
      broken(session);
    }
  }

  private void broken(String session) {
    faults.found("the chain of the receipts of the session " + session + " is not whole");
  }
}
