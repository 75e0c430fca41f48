package dev.bridle.cli.console;

/** How a line of ours is highlighted at a terminal. */
public enum Style {
  /** Not at all. */
  PLAIN(""),
  /** A heading. */
  HEADING("1"),
  /** Where something is. */
  POSITION("36"),
  /** What is added. */
  ADDED("32"),
  /** What is removed. */
  REMOVED("31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /**
   * Returns a line between the terminal's codes of this style.
   *
   * @param line a line that is safe to print: it could end the style otherwise
   */
  String around(String line) {
    return code.isEmpty() ? line : "\u001b[" + code + "m" + line + "\u001b[0m";
  }
}
