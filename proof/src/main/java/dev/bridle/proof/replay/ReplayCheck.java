package dev.bridle.proof.replay;

import dev.bridle.proof.verify.OneLine;

/**
 * What a replay found about one subject.
 *
 * @param name of the check, such as {@code log_digest}
 * @param detail what was compared, or why it was not. One line: control characters of quoted
 *     content are escaped.
 */
public record ReplayCheck(String name, Outcome outcome, String detail) {
  /** How a check ended. A failed one ends the replay, and is its {@link ReplayFault}. */
  public enum Outcome {
    /** All of it was compared and is the same. */
    PASSED,
    /** Some of it was not compared, since payloads are erased or not disclosed. */
    NOT_CHECKED,
    /** The events of a task do not have all that the receipt's members were made from. */
    NOT_DERIVABLE
  }

  /** Escapes the detail. */
  public ReplayCheck {
    detail = OneLine.of(detail);
  }

  static ReplayCheck passed(String name, String detail) {
    return new ReplayCheck(name, Outcome.PASSED, detail);
  }

  static ReplayCheck notChecked(String name, String detail) {
    return new ReplayCheck(name, Outcome.NOT_CHECKED, detail);
  }

  static ReplayCheck notDerivable(String name, String detail) {
    return new ReplayCheck(name, Outcome.NOT_DERIVABLE, detail);
  }
}
