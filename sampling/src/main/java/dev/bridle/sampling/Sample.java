package dev.bridle.sampling;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The part of many alike test runs that this build plays: a quarter, another one for each commit.
 * {@code -Dbridle.sample=all} plays all of them, {@code -Dbridle.sample=2/4} the second part, and
 * {@code -Dbridle.sample.only=NAME} the one run of that name. Which runs belong to a part follows
 * from their names alone. What is played is printed. Thread-safe.
 */
public final class Sample {
  /** The option that names the only run to play. */
  public static final String ONLY = "bridle.sample.only";

  private static final Part PART =
      Part.of(Optional.ofNullable(System.getProperty(Part.OPTION)), Part.commit());

  private final String runs;
  private final Part part;
  private final Optional<String> only;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  Sample(String runs, Part part, Optional<String> only) {
    this.runs = runs;
    this.part = part;
    this.only = only;
  }

  /**
   * Returns the sample of some runs.
   *
   * @param runs what they are, in the plural, for the output
   */
  public static Sample of(String runs) {
    return new Sample(runs, PART, Optional.ofNullable(System.getProperty(ONLY)));
  }

  /**
   * Returns whether a run is played.
   *
   * @param name its name, which no other of these runs has
   */
  public boolean takes(String name) {
    boolean takes = only.map(name::equals).orElseGet(() -> part.has(name));
    asked.incrementAndGet();
    taken.addAndGet(takes ? 1 : 0);
    return takes;
  }

  /**
   * Returns those of some runs that are played, at least one, and prints how many.
   *
   * @param all the runs
   * @param name returns the name of a run
   */
  public <T> List<T> among(Collection<T> all, Function<? super T, String> name) {
    List<T> played = new ArrayList<>();
    all.stream().filter(run -> takes(name.apply(run))).forEach(played::add);
    if (played.isEmpty() && !all.isEmpty() && only.isEmpty()) {
      all.stream().skip(part.number().orElse(0) % all.size()).findFirst().ifPresent(played::add);
      taken.incrementAndGet();
    }
    print();
    return played;
  }

  /**
   * Returns those of numbered runs that are played, at least one, and prints how many.
   *
   * @param first the first number
   * @param last the last number
   */
  public List<Integer> among(int first, int last) {
    return among(IntStream.rangeClosed(first, last).boxed().toList(), number -> "" + number);
  }

  /**
   * Returns how many runs to play of so many whose inputs are random, at least one, and prints it.
   */
  public int count(int all) {
    asked.addAndGet(all);
    int count = part.number().map(own -> Math.max(1, all / Part.PARTS)).orElse(all);
    taken.addAndGet(count);
    print();
    return count;
  }

  /** Prints how many runs were played so far, of how many. */
  @SuppressWarnings("SystemOut") // test output
  public void print() {
    System.out.println(said());
  }

  String said() {
    return String.format(
        Locale.ROOT,
        "%s: %d of %d %s",
        only.map(name -> "only '" + name + "'").orElseGet(part::spelled),
        taken.get(),
        asked.get(),
        runs);
  }
}
