package dev.bridle.core.integrations.relay;

/**
 * How much a party of the relay may send in a minute. What is refused, and what repeats something
 * that was accepted, does not count.
 *
 * @param submissions how many artifacts an enforcer may submit, 1 or more
 * @param decisions how many requests an approver may decide, 1 or more
 */
public record RelayRates(int submissions, int decisions) {
  /** The submissions of an enforcer in a minute if nothing else is said. */
  public static final int DEFAULT_SUBMISSIONS = 600;

  /** The decisions of an approver in a minute if nothing else is said. */
  public static final int DEFAULT_DECISIONS = 600;

  /** The defaults. */
  public static final RelayRates DEFAULT = new RelayRates(DEFAULT_SUBMISSIONS, DEFAULT_DECISIONS);

  /** Checks that each is 1 or more. */
  public RelayRates {
    check("max submissions", submissions);
    check("max decisions", decisions);
  }

  private static void check(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", expected 1 or more");
    }
  }
}
