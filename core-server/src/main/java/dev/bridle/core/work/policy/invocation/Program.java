package dev.bridle.core.work.policy.invocation;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a program's command line.
 *
 * @param names the names of programs with such a command line
 * @param isOne whether all names are one program, such as {@code pip} and {@code pip3}
 * @param values options that take the next word as their value
 * @param flags options that take none
 * @param isAnyOrder whether it takes several subcommands, such as targets, in any order
 * @param runs how it runs another program, if it does
 */
record Program(
    List<String> names,
    boolean isOne,
    Set<String> values,
    Set<String> flags,
    boolean isAnyOrder,
    Optional<Runs> runs) {

  /**
   * How a program runs the one that its command line names.
   *
   * @param after the words that the other program's command line follows; none: it follows the
   *     options
   * @param operands how many words stand before it that are no options
   * @param texts options that are followed by a text of a shell
   * @param isJoined whether the words are joined into a text of a shell
   */
  record Runs(Set<String> after, int operands, Set<String> texts, boolean isJoined) {
    Runs {
      after = Set.copyOf(after);
      texts = Set.copyOf(texts);
    }
  }

  Program {
    names = List.copyOf(names);
    values = Set.copyOf(values);
    flags = Set.copyOf(flags);
  }

  /** Returns a program of which nothing is known. */
  static Program unknown(String name) {
    return new Program(List.of(name), false, Set.of(), Set.of(), false, Optional.empty());
  }

  /** Returns the name that a name stands for. */
  String nameOf(String name) {
    return isOne ? names.get(0) : name;
  }

  /** Returns whether an option may take no word as its value: the next word is another one. */
  boolean mayBeFlag(String option) {
    return !values.contains(option);
  }

  /** Returns whether an option may take the next word as its value. */
  boolean mayTakeValue(String option) {
    return values.contains(option) || !(flags.contains(option) || hasValue(option));
  }

  /** Whether the value is a part of the word, as in {@code --name=value} and {@code -C.}. */
  private boolean hasValue(String option) {
    return option.indexOf('=') > 0
        || option.charAt(0) == '+'
        || option.equals("--")
        || (option.length() > 2
            && option.charAt(1) != '-'
            && values.contains(option.substring(0, 2)));
  }
}
