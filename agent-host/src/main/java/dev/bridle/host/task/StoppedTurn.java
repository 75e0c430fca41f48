package dev.bridle.host.task;

import dev.bridle.host.acp.PromptEnd;

/** Says why an agent ended a turn before it was done, in the agent's words as far as it has any. */
final class StoppedTurn {
  private static final int MOST_REASON = 200;

  private StoppedTurn() {}

  /** Returns the message of the failure. */
  static String message(PromptEnd end) {
    String reason = line(end.spelled());
    String terminal = line(end.terminal());
    return "The agent stopped before it was done: "
        + (reason.isEmpty() ? "it gave no reason" : reason)
        + (terminal.isEmpty() ? "" : " (" + terminal + ")");
  }

  /** Returns a text of the agent as a short line, without characters that can't be seen. */
  private static String line(String text) {
    String seen = text.replaceAll("[\\p{C}\\p{Z}\\s]+", " ").strip();
    return KeptText.of(seen, MOST_REASON);
  }
}
