package dev.bridle.cli.run;

/**
 * A line that a person types to an agent: a message, and when the agent gets it.
 *
 * @param when when it gets it
 * @param text the message
 */
record TypedLine(When when, String text) {
  private static final String NOW = "/now";
  private static final String STEP = "/step";

  /** When an agent that works gets a message. */
  enum When {
    /** After its task, as the next one. */
    NEXT("wait_for_completion"),
    /** Once its tool call has ended. */
    AFTER_STEP("finish_step"),
    /** At once. */
    AT_ONCE("interrupt_immediate");

    private final String mode;

    When(String mode) {
      this.mode = mode;
    }

    /** Returns the mode as the server spells it. */
    String mode() {
      return mode;
    }
  }

  /** Reads a line; one that begins with two slashes and a word of ours loses a slash. */
  static TypedLine of(String line) {
    if (begins(line, NOW)) {
      return new TypedLine(When.AT_ONCE, line.substring(NOW.length()).strip());
    }
    if (begins(line, STEP)) {
      return new TypedLine(When.AFTER_STEP, line.substring(STEP.length()).strip());
    }
    boolean isEscaped = begins(line, "/" + NOW) || begins(line, "/" + STEP);
    return new TypedLine(When.NEXT, isEscaped ? line.substring(1) : line);
  }

  private static boolean begins(String line, String word) {
    return line.startsWith(word)
        && (line.length() == word.length() || Character.isWhitespace(line.charAt(word.length())));
  }
}
