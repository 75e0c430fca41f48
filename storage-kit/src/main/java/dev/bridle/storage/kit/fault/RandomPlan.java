package dev.bridle.storage.kit.fault;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Faults at random, drawn anew for each operation from the seed and the operation's number, so that
 * the same operations in the same order meet the same faults.
 *
 * @param seed where all chance comes from
 * @param rates how often something happens
 * @param faults what may happen
 */
public record RandomPlan(long seed, FaultRates rates, Set<Fault> faults) implements FaultPlan {
  /** The system property that names a seed to run tests with. */
  public static final String SEED = "bridle.faults.seed";

  private static final int LONGEST_DELAY_MICROS = 3000;
  private static final int LATEST = 60;

  /** Copies the faults. */
  public RandomPlan {
    faults = Set.copyOf(faults);
  }

  /** Returns a plan of moderate faults that no caller may notice. */
  public static RandomPlan hidden(long seed) {
    return new RandomPlan(seed, FaultRates.MODERATE, Fault.hidden());
  }

  @Override
  public Fault at(Operation operation) {
    SplittableRandom random = random(operation);
    if (random.nextDouble() >= rates.of(operation)) {
      return Fault.NONE;
    }
    List<Fault> fitting =
        EnumSet.allOf(Fault.class).stream()
            .filter(fault -> faults.contains(fault) && fault.fits(operation))
            .toList();
    return fitting.isEmpty() ? Fault.NONE : fitting.get(random.nextInt(fitting.size()));
  }

  @Override
  public Duration delay(Operation operation) {
    return Duration.ofNanos(1000L * (1 + random(operation).nextInt(LONGEST_DELAY_MICROS)));
  }

  @Override
  public int lateBy(Operation operation) {
    int late = random(operation).nextInt(LATEST);
    return late == 0 ? AFTER_NEXT_COMMIT : late;
  }

  private SplittableRandom random(Operation operation) {
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + operation.number()).split();
  }
}
