package dev.bridle.storage.kit.fault;

import java.util.Locale;

/**
 * One operation on a {@link FaultyStore}.
 *
 * @param number how many there were before it, in the order in which they came
 * @param kind what is asked
 * @param writes whether it is the commit of a transaction that writes
 * @param during the current step of the test, as set on the store
 */
public record Operation(long number, OperationKind kind, boolean writes, String during) {

  /** Returns whether both are the same step of a scenario. */
  public boolean same(Operation other) {
    return kind == other.kind() && writes == other.writes() && during.equals(other.during());
  }

  /** Returns the operation in words, for the name of a test. */
  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String what = kind == OperationKind.COMMIT && !writes ? "end of reading" : name;
    return "#" + number + " " + what + (during.isEmpty() ? "" : " of " + during);
  }
}
