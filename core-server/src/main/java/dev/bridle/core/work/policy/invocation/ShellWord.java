package dev.bridle.core.work.policy.invocation;

/**
 * A word of a command.
 *
 * @param text the word without its quotes and escapes
 * @param withBackslashes the word with the backslashes that stand outside of quotes, which separate
 *     folders on some systems
 * @param isExpanded whether a variable or the output of a command is put into it
 */
record ShellWord(String text, String withBackslashes, boolean isExpanded) {
  private static final int MAX_ASSIGNED_NAME = 256;

  /** Returns a word that is taken as it is. */
  static ShellWord of(String text) {
    return new ShellWord(text, text, false);
  }

  /** Returns whether it is an option, such as {@code -v} or {@code --name=value}. */
  boolean isOption() {
    return text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+');
  }

  /** Returns whether it sets a variable, such as {@code NAME=value}. */
  boolean isAssignment() {
    int end = text.indexOf('=');
    if (end <= 0 || end > MAX_ASSIGNED_NAME || Character.isDigit(text.charAt(0))) {
      return false;
    }
    return text.chars().limit(end).allMatch(ShellWord::mayBeInName);
  }

  private static boolean mayBeInName(int c) {
    return c == '_' || c == '+' || Character.isLetterOrDigit(c);
  }
}
