package dev.bridle.worker.replay;

/**
 * The first difference between a run of a handler and its replay.
 *
 * @param kind what differs
 * @param stepKey the step; empty if it is the end
 * @param expected what was recorded
 * @param found what the replay did
 */
public record Divergence(Kind kind, String stepKey, String expected, String found) {
  private static final int SHOWN = 200;

  /** What differs. */
  public enum Kind {
    /** The replay takes a step that was not recorded. */
    UNRECORDED,
    /** The step was of another kind. */
    OTHER_KIND,
    /** The step had another content, or depends on another input. */
    OTHER_REQUEST,
    /** The replay did not take a step that was recorded. */
    MISSING,
    /** The handler ended otherwise. */
    OTHER_END
  }

  static Divergence of(Kind kind, String stepKey, Object expected, Object found) {
    String was = String.valueOf(expected);
    String is = String.valueOf(found);
    int from = Math.max(0, commonPrefix(was, is) - SHOWN / 2);
    return new Divergence(kind, stepKey, shown(was, from), shown(is, from));
  }

  private static int commonPrefix(String one, String other) {
    int at = 0;
    while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return at;
  }

  /** Returns the text around the first difference. */
  private static String shown(String text, int from) {
    int end = Math.min(text.length(), from + SHOWN);
    return (from > 0 ? "…" : "") + text.substring(from, end) + (end < text.length() ? "…" : "");
  }

  /** Returns the difference in a sentence. */
  @Override
  public String toString() {
    return switch (kind) {
      case UNRECORDED -> "The step `" + stepKey + "` was not recorded: " + found;
      case OTHER_KIND -> "The step `" + stepKey + "` was " + expected + ", and is " + found;
      case OTHER_REQUEST ->
          "The step `" + stepKey + "` differs. Recorded: " + expected + " Replayed: " + found;
      case MISSING -> "The step `" + stepKey + "` was recorded, and is not taken: " + expected;
      case OTHER_END -> "The end differs. Recorded: " + expected + " Replayed: " + found;
    };
  }
}
