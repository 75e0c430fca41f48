package dev.bridle.core.work.policy.invocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command lines in the texts of an action, with those in texts that their shells are given. An
 * agent chooses the texts, so that it reads a bounded amount of them; what lies beyond that matches
 * if it has the words in their order. Immutable once made.
 */
public final class Invocations {
  private static final int MAX_DEPTH = 8;

  /** Eight times what the content of an action may have. */
  private static final int MAX_CHARACTERS = 1 << 21;

  private final Map<String, List<CommandLine>> byProgram = new HashMap<>();
  private final List<String> unread = new ArrayList<>();
  private final Set<List<ShellWord>> known = new HashSet<>();
  private final Map<ShellWord, Set<String>> names = new HashMap<>();

  private record Text(String text, int depth) {}

  /**
   * Finds the command lines.
   *
   * @param texts texts of a shell
   * @param lists words of one command each
   */
  public Invocations(Collection<String> texts, Collection<List<String>> lists) {
    Deque<Text> waiting = new ArrayDeque<>();
    texts.forEach(text -> waiting.add(new Text(text, 0)));
    for (List<String> words : lists) {
      add(words.stream().map(ShellWord::of).toList(), 0, waiting);
    }
    Set<String> seen = new HashSet<>();
    long characters = 0;
    while (!waiting.isEmpty()) {
      Text next = waiting.remove();
      if (!seen.add(next.text())) {
        continue;
      }
      characters += next.text().length();
      if (next.depth() > MAX_DEPTH || characters > MAX_CHARACTERS) {
        unread.add(next.text());
        continue;
      }
      ShellText.Split split = ShellText.split(next.text());
      if (!split.isWhole()) {
        unread.add(next.text());
      }
      split.commands().forEach(words -> add(words, next.depth(), waiting));
      split.texts().forEach(text -> waiting.add(new Text(text, next.depth() + 1)));
    }
  }

  private void add(List<ShellWord> words, int depth, Deque<Text> waiting) {
    if (words.isEmpty() || !known.add(words)) {
      return;
    }
    CommandLine command =
        new CommandLine(words, word -> names.computeIfAbsent(word, Programs::namesOf));
    command
        .programs()
        .forEach(name -> byProgram.computeIfAbsent(name, unused -> new ArrayList<>()).add(command));
    command.texts().forEach(text -> waiting.add(new Text(text, depth + 1)));
  }

  /** Returns the first command that a pattern matches, as one line. */
  public Optional<String> find(InvocationPattern pattern) {
    for (String program : pattern.programs()) {
      for (CommandLine command : byProgram.getOrDefault(program, List.of())) {
        if (pattern.matches(command)) {
          return Optional.of(command.line());
        }
      }
    }
    return unread.stream().filter(text -> hasInOrder(text, pattern)).findFirst();
  }

  private static boolean hasInOrder(String text, InvocationPattern pattern) {
    String folded = text.toLowerCase(Locale.ROOT);
    int from = 0;
    for (String word : pattern.words()) {
      int at = folded.indexOf(word, from);
      if (at < 0) {
        return false;
      }
      from = at + word.length();
    }
    return true;
  }
}
