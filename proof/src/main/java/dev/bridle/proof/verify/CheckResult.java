package dev.bridle.proof.verify;

/**
 * What one check found.
 *
 * @param detail why it failed, or which material it lacked; empty if it passed. One line: control
 *     characters of quoted content are escaped.
 */
public record CheckResult(Check check, Outcome outcome, String detail) {
  /** How a check ended. */
  public enum Outcome {
    /** It holds, or the receipt states nothing that it could apply to. */
    PASSED,
    /** It does not hold. */
    FAILED,
    /** It could not be made, for lack of material. */
    NOT_CHECKED
  }

  /** Escapes the detail. */
  public CheckResult {
    detail = OneLine.of(detail);
  }

  static CheckResult passed(Check check) {
    return new CheckResult(check, Outcome.PASSED, "");
  }

  static CheckResult failed(Check check, String why) {
    return new CheckResult(check, Outcome.FAILED, why);
  }

  static CheckResult notChecked(Check check, String lacking) {
    return new CheckResult(check, Outcome.NOT_CHECKED, lacking);
  }

  static CheckResult of(Check check, boolean holds, String why) {
    return holds ? passed(check) : failed(check, why);
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? check.spelling() : check.spelling() + ": " + detail;
  }
}
