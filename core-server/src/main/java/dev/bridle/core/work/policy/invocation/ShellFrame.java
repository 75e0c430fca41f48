package dev.bridle.core.work.policy.invocation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command that is being read at one depth of substitutions, for {@link ShellText}. */
final class ShellFrame {
  /** What encloses the commands. */
  enum Kind {
    /** The text itself. */
    TEXT,
    /** A substitution or a process in parentheses. */
    PARENTHESES,
    BACKTICKS,
    /** A variable in braces, with what stands in for it. */
    BRACES
  }

  /** What the next word is. */
  enum Target {
    /** A word of the command. */
    NONE,
    /** The file of a redirection. */
    FILE,
    /** A text that is the input. */
    INPUT,
    /** The line that ends a here-document. */
    HERE_DOCUMENT,
    INDENTED_DOCUMENT
  }

  private final Kind kind;
  private final StringBuilder word = new StringBuilder();
  private final StringBuilder withBackslashes = new StringBuilder();
  private List<ShellWord> words = new ArrayList<>();
  private Target target = Target.NONE;
  private boolean isInWord;
  private boolean isExpanded;
  private int quotedFrom = -1;
  private int nested;

  ShellFrame(Kind kind) {
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  boolean isInWord() {
    return isInWord;
  }

  void append(char c) {
    isInWord = true;
    word.append(c);
    withBackslashes.append(c);
  }

  void appendQuoted(String text) {
    isInWord = true;
    word.append(text);
    withBackslashes.append(text);
  }

  /** Appends a character after a backslash; within double quotes few are escaped. */
  void appendEscaped(char c) {
    if (isInQuotes() && "$`\"\\".indexOf(c) < 0) {
      append('\\');
      append(c);
      return;
    }
    isInWord = true;
    word.append(c);
    withBackslashes.append('\\').append(c);
  }

  /** Marks the word as one that something else is put into. */
  void expand() {
    isInWord = true;
    isExpanded = true;
  }

  boolean isInQuotes() {
    return quotedFrom >= 0;
  }

  void beginQuotes(int from) {
    isInWord = true;
    quotedFrom = from;
  }

  void endQuotes() {
    quotedFrom = -1;
  }

  /** Returns where the open double quotes begin. */
  int quotedFrom(int otherwise) {
    return isInQuotes() ? quotedFrom : otherwise;
  }

  void nest() {
    nested++;
  }

  /** Closes a parenthesis that was opened within; {@code false} if there is none. */
  boolean unnest() {
    if (nested == 0) {
      return false;
    }
    nested--;
    return true;
  }

  void target(Target next) {
    target = next;
  }

  Target takeTarget() {
    Target taken = target;
    target = Target.NONE;
    return taken;
  }

  /** Drops the word if it is the number before a redirection, such as {@code 2>}. */
  boolean dropDescriptor() {
    if (!isInWord || !word.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    boolean dropped = takeWord().isPresent();
    return dropped;
  }

  Optional<ShellWord> takeWord() {
    if (!isInWord) {
      return Optional.empty();
    }
    ShellWord taken = new ShellWord(word.toString(), withBackslashes.toString(), isExpanded);
    word.setLength(0);
    withBackslashes.setLength(0);
    isInWord = false;
    isExpanded = false;
    quotedFrom = -1;
    return Optional.of(taken);
  }

  void add(ShellWord next) {
    words.add(next);
  }

  List<ShellWord> takeWords() {
    List<ShellWord> taken = words;
    words = new ArrayList<>();
    target = Target.NONE;
    return taken;
  }
}
