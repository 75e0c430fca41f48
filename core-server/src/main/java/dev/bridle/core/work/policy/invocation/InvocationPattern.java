package dev.bridle.core.work.policy.invocation;

import dev.bridle.core.work.permission.ProtectedPaths;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A program with the words of a subcommand, such as {@code git push}, that is looked for in
 * commands, whatever options stand between its words. Where an option is not known, the next word
 * counts both as its value and not. It takes as many steps as there are words in both.
 */
public final class InvocationPattern {
  private static final int MAX_WORDS = 8;
  private static final String NOT_IN_WORDS = "\"'`$\\/|&;<>(){}*?=#~!";

  private final String text;
  private final List<String> words;
  private final String program;
  private final List<String> subcommands;
  private final Program known;

  private InvocationPattern(String text) {
    List<String> parts = words(text);
    this.text = text;
    this.words = parts.stream().map(ProtectedPaths::folded).toList();
    this.program = Programs.nameOf(parts.get(0));
    this.subcommands = words.subList(1, words.size());
    this.known = Programs.find(program).orElseGet(() -> Program.unknown(program));
  }

  /** Returns the pattern of a text. */
  public static InvocationPattern of(String text) {
    return new InvocationPattern(text);
  }

  /** Returns the text that the pattern was made of. */
  public String text() {
    return text;
  }

  /** Returns why a text is no pattern, as the end of a sentence; empty if it is one. */
  public static Optional<String> problem(String text) {
    List<String> words = words(text);
    if (text.isBlank() || words.size() > MAX_WORDS) {
      return Optional.of("must be a program and at most " + (MAX_WORDS - 1) + " subcommands");
    }
    for (String word : words) {
      if (word.startsWith("-")) {
        return Optional.of(
            "must have no options, such as '" + word + "'; options match wherever they stand");
      }
      if (word.chars().anyMatch(c -> NOT_IN_WORDS.indexOf(c) >= 0 || Character.isISOControl(c))) {
        return Optional.of(
            "must be the names of a program and of subcommands, without folders, quotes and"
                + " wildcards, and not '"
                + word
                + "'");
      }
    }
    return Optional.empty();
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.strip().split("\\s+"));
  }

  /** Returns the words in lower case. */
  List<String> words() {
    return words;
  }

  /** Returns the names of programs that the pattern may begin with; some have subcommands in it. */
  List<String> programs() {
    return IntStream.rangeClosed(0, subcommands.size()).mapToObj(this::programWith).toList();
  }

  /** Returns the program's name with subcommands as a part of it, such as {@code git-push}. */
  private String programWith(int count) {
    return count == 0 ? program : program + "-" + String.join("-", subcommands.subList(0, count));
  }

  /** Returns whether a command invokes the program with the subcommands. */
  boolean matches(CommandLine command) {
    BitSet[] reached = new BitSet[subcommands.size() + 1];
    for (int found = 0; found < reached.length; found++) {
      reached[found] = new BitSet();
      BitSet starts = reached[found];
      command.wordsOf(programWith(found)).stream().forEach(at -> starts.set(at + 1));
    }
    for (int found = 0; found < subcommands.size(); found++) {
      for (int at = reached[found].nextSetBit(0);
          at >= 0 && at < command.size();
          at = reached[found].nextSetBit(at + 1)) {
        step(command, at, reached[found], reached[found + 1], subcommands.get(found));
      }
    }
    return !reached[subcommands.size()].isEmpty();
  }

  private void step(CommandLine command, int at, BitSet here, BitSet next, String subcommand) {
    ShellWord word = command.word(at);
    if (word.isOption()) {
      if (known.mayBeFlag(word.text())) {
        here.set(at + 1);
      }
      if (known.mayTakeValue(word.text())) {
        here.set(at + 2);
      }
      return;
    }
    if (isSubcommand(command.folded(at), subcommand)) {
      next.set(at + 1);
    }
    if (known.isAnyOrder() || word.isExpanded()) {
      here.set(at + 1);
    }
  }

  private boolean isSubcommand(String folded, String subcommand) {
    return folded.equals(subcommand) || (known.isAnyOrder() && folded.endsWith(":" + subcommand));
  }
}
