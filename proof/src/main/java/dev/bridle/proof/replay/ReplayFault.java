package dev.bridle.proof.replay;

import dev.bridle.proof.verify.OneLine;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The first difference that ends a replay.
 *
 * @param sequence the number of the event at which it was found; empty if it is about all of them
 * @param what the subject, such as {@code commitment}, {@code lifecycle} or a JSON Pointer into the
 *     receipt
 * @param expected one line: control characters of quoted content are escaped; empty, as {@code
 *     found}, where neither is copied
 * @param found one line, as {@code expected}
 */
public record ReplayFault(
    Kind kind, OptionalLong sequence, String what, String expected, String found) {
  private static final int MOST_QUOTED = 300;

  /** Why a replay ends early. */
  public enum Kind {
    /** The log contradicts the receipt, or itself. */
    DIVERGED,
    /** Something that the replay needs is missing. */
    UNAVAILABLE;

    /** Returns the name for people and programs: {@code replay_diverged} or the like. */
    public String spelling() {
      return "replay_" + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Escapes and shortens what it quotes. */
  public ReplayFault {
    what = quoted(what);
    expected = quoted(expected);
    found = quoted(found);
  }

  private static String quoted(String text) {
    return OneLine.of(
        text.length() > MOST_QUOTED ? text.substring(0, MOST_QUOTED) + "\u2026" : text);
  }

  /** Returns a difference that an event has. */
  public static ReplayFault diverged(long sequence, String what, String expected, String found) {
    return new ReplayFault(Kind.DIVERGED, OptionalLong.of(sequence), what, expected, found);
  }

  static ReplayFault diverged(String what, String expected, String found) {
    return new ReplayFault(Kind.DIVERGED, OptionalLong.empty(), what, expected, found);
  }

  static ReplayFault unavailable(String what, String expected, String found) {
    return new ReplayFault(Kind.UNAVAILABLE, OptionalLong.empty(), what, expected, found);
  }

  /** Returns one line, such as {@code replay_diverged at event 3: commitment: expected …}. */
  @Override
  public String toString() {
    String at = sequence.isPresent() ? " at event " + sequence.getAsLong() : "";
    String values =
        expected.isEmpty() && found.isEmpty() ? "" : ": expected " + expected + ", found " + found;
    return kind.spelling() + at + ": " + what + values;
  }
}
