package dev.bridle.cli.console;

/** A word of a command that a person may copy to a shell. */
public final class ShellWord {
  /** A shell may expand a word that begins with an equals sign. */
  private static final String PLAIN = "[\\w./:@%+,-][\\w./:@%+=,-]*";

  private ShellWord() {}

  /**
   * Returns a word as a shell takes it. Text that somebody else wrote has to be made safe to print
   * before, by {@link ShownText#line}.
   */
  public static String quoted(String word) {
    return word.matches(PLAIN) ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
