package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The claims of processes to the turn of a row: {@code TURN / row → process, number} of the one
 * that has it, {@code TURN / row, process → nothing} of those that wait. Claims save conflicts; no
 * data depends on them.
 */
public final class TurnClaims {
  private static final byte[] NOTHING = {};
  private static final int MAX_WAITING = 256;
  private static final int PROCESS = 3;

  private final KeyLayout layout;

  public TurnClaims(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * A claim.
   *
   * @param process the process that has the turn
   * @param number how often it was claimed, so that two claims of one process differ
   */
  public record Claim(String process, long number) {}

  /** Returns who has the turn of a row. */
  public Optional<Claim> find(ReadTransaction tr, byte[] row) {
    return tr.get(layout.key(key(row)))
        .map(Tuple::fromBytes)
        .map(claim -> new Claim(claim.getString(0), claim.getLong(1)));
  }

  /** Gives the turn of a row to a process, which waits no longer. */
  public void give(Transaction tr, byte[] row, String process) {
    long number = find(tr, row).map(Claim::number).orElse(0L) + 1;
    tr.set(layout.key(key(row)), Tuple.from(process, number).pack());
    waitNoLonger(tr, row, process);
  }

  /** Makes the turn of a row nobody's. */
  public void free(Transaction tr, byte[] row) {
    tr.clear(layout.key(key(row)));
  }

  /** Notes that a process waits for the turn of a row. */
  public void await(Transaction tr, byte[] row, String process) {
    byte[] key = layout.key(key(row).add(process));
    if (tr.get(key).isEmpty()) {
      tr.set(key, NOTHING);
    }
  }

  /** Notes that a process waits no longer. */
  public void waitNoLonger(Transaction tr, byte[] row, String process) {
    tr.clear(layout.key(key(row).add(process)));
  }

  /** Returns who waits and comes after a process, each once in the round; never itself. */
  public Optional<String> next(ReadTransaction tr, byte[] row, String process) {
    List<String> waiting = waiting(tr, row).stream().filter(name -> !name.equals(process)).toList();
    return waiting.stream()
        .filter(name -> name.compareTo(process) > 0)
        .findFirst()
        .or(() -> waiting.stream().findFirst());
  }

  /** Returns who waits for the turn of a row, in the order of their names. */
  public List<String> waiting(ReadTransaction tr, byte[] row) {
    return tr.getRange(layout.children(key(row)), MAX_WAITING).stream()
        .map(KeyValue::key)
        .map(key -> layout.unpack(key).getString(PROCESS))
        .toList();
  }

  /** Returns a future that completes once another process may have the turn of a row. */
  public CompletableFuture<Void> watch(Transaction tr, byte[] row) {
    return tr.watch(layout.key(key(row)));
  }

  /** Forgets all claims: whoever has a turn or waits for one goes on a little later. */
  public void forgetAll(Transaction tr) {
    tr.clear(range());
  }

  private KeyRange range() {
    return layout.children(layout.system(SystemSpace.TURN));
  }

  private Tuple key(byte[] row) {
    return layout.system(SystemSpace.TURN).add(row);
  }
}
