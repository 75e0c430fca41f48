package dev.bridle.core.work.policy.invocation;

import dev.bridle.core.work.permission.ProtectedPaths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * The words of a command, with those that may be the program that runs: the first, and what follows
 * variables and programs that run others, such as {@code sudo}. Where an option is not known, the
 * next word counts both as its value and not. Each word is looked at once for each program before
 * it that runs others.
 */
final class CommandLine {
  private static final int MAX_OPTION = 32;
  private static final BitSet NONE = new BitSet();

  private final List<ShellWord> words;
  private final String[] folded;
  private final BitSet programs = new BitSet();
  private final Map<String, BitSet> byName = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private final IdentityHashMap<Program, BitSet> passed = new IdentityHashMap<>();
  private final IdentityHashMap<Program, BitSet> passedToText = new IdentityHashMap<>();
  private boolean isJoined;

  /**
   * Finds the programs of a command.
   *
   * @param names returns the names of the program that a word may call
   */
  CommandLine(List<ShellWord> words, Function<ShellWord, Set<String>> names) {
    this.words = List.copyOf(words);
    this.folded = new String[words.size()];
    programs.set(0);
    // All that is found stands further on.
    for (int at = programs.nextSetBit(0);
        at >= 0 && at < words.size();
        at = programs.nextSetBit(at + 1)) {
      ShellWord word = words.get(at);
      if (word.isAssignment() || word.isExpanded()) {
        programs.set(at + 1);
      }
      for (String name : names.apply(word)) {
        byName.computeIfAbsent(name, unused -> new BitSet()).set(at);
        int next = at + 1;
        Programs.find(name)
            .ifPresent(program -> program.runs().ifPresent(runs -> findRun(program, runs, next)));
      }
    }
  }

  /** Returns the number of words. */
  int size() {
    return words.size();
  }

  /** Returns a word. */
  ShellWord word(int at) {
    return words.get(at);
  }

  /** Returns a word as {@link ProtectedPaths#folded}. */
  String folded(int at) {
    if (folded[at] == null) {
      folded[at] = ProtectedPaths.folded(words.get(at).text());
    }
    return folded[at];
  }

  /** Returns the names of all programs that may run. */
  Set<String> programs() {
    return byName.keySet();
  }

  /** Returns which words may be a program. */
  BitSet wordsOf(String program) {
    return byName.getOrDefault(program, NONE);
  }

  /** Returns texts that a shell is given. */
  List<String> texts() {
    return texts;
  }

  /** Returns the command as one line. */
  String line() {
    return words.stream().map(ShellWord::text).collect(Collectors.joining(" "));
  }

  private void findRun(Program program, Program.Runs runs, int from) {
    boolean isFirst = !passed.containsKey(program);
    BitSet seen = passed.computeIfAbsent(program, unused -> new BitSet());
    if (runs.after().isEmpty()) {
      pass(program, from, runs.operands(), seen, at -> run(runs, at));
    }
    if (!isFirst || (runs.after().isEmpty() && runs.texts().isEmpty())) {
      return; // What follows another one of the same program was found already.
    }
    for (int at = from; at < words.size(); at++) {
      String word = words.get(at).text();
      if (runs.after().contains(inLowerCase(word))) {
        pass(program, at + 1, runs.operands(), seen, next -> run(runs, next));
      }
      findText(program, runs, word, at + 1);
    }
  }

  private void run(Program.Runs runs, int at) {
    programs.set(at);
    if (runs.isJoined() && !isJoined) {
      isJoined = true;
      texts.add(
          words.subList(at, words.size()).stream()
              .map(ShellWord::text)
              .collect(Collectors.joining(" ")));
    }
  }

  private void findText(Program program, Program.Runs runs, String word, int next) {
    int value = word.indexOf('=');
    if (runs.texts().contains(word) || isCluster(runs, word)) {
      BitSet seen = passedToText.computeIfAbsent(program, unused -> new BitSet());
      pass(program, next, 0, seen, at -> texts.add(words.get(at).text()));
    } else if (value > 0 && runs.texts().contains(word.substring(0, value))) {
      texts.add(word.substring(value + 1));
    }
  }

  /** Whether a word has an option among several letters, such as {@code -lc}. */
  private static boolean isCluster(Program.Runs runs, String word) {
    return word.length() > 2
        && word.charAt(0) == '-'
        && word.chars().skip(1).allMatch(Character::isLetter)
        && word.chars().skip(1).anyMatch(letter -> runs.texts().contains("-" + (char) letter));
  }

  /**
   * Passes options and operands.
   *
   * @param seen where it was already, with as many operands left
   * @param reached is given each word that may follow them
   */
  private void pass(Program program, int from, int operands, BitSet seen, IntConsumer reached) {
    Deque<Integer> waiting = new ArrayDeque<>();
    int each = operands + 1;
    push(waiting, seen, from * each + operands, each);
    while (!waiting.isEmpty()) {
      int state = waiting.pop();
      int at = state / each;
      ShellWord word = words.get(at);
      if (word.isOption()) {
        if (program.mayBeFlag(word.text())) {
          push(waiting, seen, state + each, each);
        }
        if (program.mayTakeValue(word.text())) {
          push(waiting, seen, state + 2 * each, each);
        }
      } else if (state % each > 0 && !word.isAssignment()) {
        push(waiting, seen, state + each - 1, each);
      } else {
        reached.accept(at);
      }
    }
  }

  private void push(Deque<Integer> waiting, BitSet seen, int state, int each) {
    if (state / each < words.size() && !seen.get(state)) {
      seen.set(state);
      waiting.push(state);
    }
  }

  private static String inLowerCase(String word) {
    return word.length() > MAX_OPTION ? word : word.toLowerCase(Locale.ROOT);
  }
}
