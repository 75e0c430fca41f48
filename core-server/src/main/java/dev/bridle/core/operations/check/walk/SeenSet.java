package dev.bridle.core.operations.check.walk;

/**
 * A set of expected numbers that records which ones were seen. Uses 9 bytes per slot, so that
 * millions fit.
 */
public final class SeenSet {
  private static final byte EMPTY = 0;
  private static final byte EXPECTED = 1;
  private static final byte SEEN = 2;

  private long[] numbers = new long[1024];
  private byte[] states = new byte[1024];
  private int size;
  private int seen;

  /** Adds a number; returns whether it was new. */
  public boolean expect(long number) {
    if (size * 3 >= numbers.length * 2) {
      grow();
    }
    int at = slot(number);
    boolean isNew = states[at] == EMPTY;
    if (isNew) {
      numbers[at] = number;
      states[at] = EXPECTED;
      size++;
    }
    return isNew;
  }

  public boolean expects(long number) {
    return states[slot(number)] != EMPTY;
  }

  /** Marks an expected number as seen; returns whether it was not seen before. */
  public boolean see(long number) {
    int at = slot(number);
    boolean first = states[at] == EXPECTED;
    if (first) {
      states[at] = SEEN;
      seen++;
    }
    return first;
  }

  public boolean unseen(long number) {
    return states[slot(number)] == EXPECTED;
  }

  public boolean allSeen() {
    return seen == size;
  }

  private int slot(long number) {
    int mask = numbers.length - 1;
    int at = (int) (number ^ (number >>> 32)) & mask;
    while (states[at] != EMPTY && numbers[at] != number) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] before = numbers;
    byte[] stood = states;
    numbers = new long[before.length * 2];
    states = new byte[before.length * 2];
    for (int i = 0; i < before.length; i++) {
      if (stood[i] != EMPTY) {
        int at = slot(before[i]);
        numbers[at] = before[i];
        states[at] = stood[i];
      }
    }
  }
}
