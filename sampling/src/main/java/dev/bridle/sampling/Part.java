package dev.bridle.sampling;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the parts that long runs are divided into, or all of them.
 *
 * @param number its number, from 0; empty for all
 * @param chosenBy what chose it
 */
record Part(Optional<Integer> number, String chosenBy) {
  /** How many parts there are. */
  static final int PARTS = 4;

  /** The option that names a part: {@code all}, or {@code K/4} with K from 1. */
  static final String OPTION = "bridle.sample";

  private static final Pattern NAMED = Pattern.compile("([1-" + PARTS + "])/" + PARTS);
  private static final Pattern COMMIT = Pattern.compile("([0-9a-f]{8})[0-9a-f]*");

  /**
   * Returns the part that an option names, or else the one of a commit.
   *
   * @param option the value of {@link #OPTION}
   * @param commit the id of the commit; the first part is taken without one
   * @throws IllegalArgumentException if the option is malformed
   */
  static Part of(Optional<String> option, Optional<String> commit) {
    if (option.isPresent()) {
      return named(option.get());
    }
    Optional<String> id =
        commit.map(COMMIT::matcher).filter(Matcher::matches).map(found -> found.group(1));
    return id.map(first -> new Part(Optional.of((int) (Long.parseLong(first, 16) % PARTS)), first))
        .orElseGet(() -> new Part(Optional.of(0), "no commit"));
  }

  private static Part named(String option) {
    String by = "-D" + OPTION;
    if (option.equals("all")) {
      return new Part(Optional.empty(), by);
    }
    Matcher named = NAMED.matcher(option);
    if (!named.matches()) {
      throw new IllegalArgumentException(
          by + "=" + option + " is malformed: 'all', or a part such as 1/" + PARTS);
    }
    return new Part(Optional.of(Integer.parseInt(named.group(1)) - 1), by);
  }

  /** Returns whether a run of a name belongs to it. Its names stay the same, and so do its runs. */
  boolean has(String name) {
    return number.map(own -> own == Math.floorMod(spread(name.hashCode()), PARTS)).orElse(true);
  }

  /** Mixes the bits of a hash: names that differ in their last character alone go to any part. */
  private static int spread(int hash) {
    int mixed = hash * 0x9e3779b9;
    return mixed ^ (mixed >>> 15);
  }

  /** Returns how the output names it. */
  String spelled() {
    return number.map(own -> "sample " + (own + 1) + "/" + PARTS).orElse("all") + " by " + chosenBy;
  }

  /** Returns the id of the checked out commit; empty where there is none, or no git. */
  static Optional<String> commit() {
    try {
      Process git =
          new ProcessBuilder("git", "rev-parse", "HEAD")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      git.getOutputStream().close();
      try (InputStream out = git.getInputStream()) {
        return Optional.of(new String(out.readAllBytes(), StandardCharsets.UTF_8).strip());
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
