package dev.bridle.storage.kit.fault;

import java.util.Locale;

/**
 * One fault at one operation of a scenario that was recorded before.
 *
 * @param step the operation
 * @param fault what happens there
 * @param lateBy how many operations later a late commit lands
 */
public record AtStep(Operation step, Fault fault, int lateBy) implements FaultPlan {

  /** One fault; what is late lands after the next commit. */
  public AtStep(Operation step, Fault fault) {
    this(step, fault, AFTER_NEXT_COMMIT);
  }

  /**
   * Returns the fault at its step.
   *
   * @throws IllegalStateException where the step is another one than was recorded: the scenario
   *     does not run the same each time
   */
  @Override
  public Fault at(Operation operation) {
    if (operation.number() != step.number()) {
      return Fault.NONE;
    }
    if (!operation.same(step)) {
      throw new IllegalStateException(
          "the scenario does not repeat: recorded " + step + ", now " + operation);
    }
    return fault;
  }

  @Override
  public int lateBy(Operation operation) {
    return lateBy;
  }

  /** Returns the fault and its place in words, for the name of a test. */
  @Override
  public String toString() {
    String late =
        switch (lateBy) {
          case AFTER_NEXT_COMMIT -> "";
          case AT_THE_END -> ", in the end";
          default -> ", " + lateBy + " operations later";
        };
    return fault.name().toLowerCase(Locale.ROOT).replace('_', ' ') + late + " at " + step;
  }
}
