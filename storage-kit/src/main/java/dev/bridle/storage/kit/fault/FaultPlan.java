package dev.bridle.storage.kit.fault;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Says what goes wrong when. Asked once for each operation, perhaps by several threads at once; it
 * should answer from the operation alone, so that a run can be repeated.
 */
public interface FaultPlan {
  /** Nothing goes wrong. */
  FaultPlan NONE = operation -> Fault.NONE;

  /** A commit that is late lands right after the next commit of anybody. */
  int AFTER_NEXT_COMMIT = Integer.MAX_VALUE;

  /** A commit that is late lands after everything else, once the test settles the store. */
  int AT_THE_END = Integer.MAX_VALUE - 1;

  /** Returns what happens at an operation: a fault that fits it. */
  Fault at(Operation operation);

  /** Returns how long a slow read or a late watch takes longer. */
  default Duration delay(Operation operation) {
    return Duration.ofMillis(1 + operation.number() % 3);
  }

  /**
   * Returns how many operations after this one a late commit lands: 1 for before the very next one.
   */
  default int lateBy(Operation operation) {
    return AFTER_NEXT_COMMIT;
  }

  /** Returns a plan that asks {@code faults} at each commit that writes. */
  static FaultPlan ofCommits(Supplier<Fault> faults) {
    return operation -> operation.writes() ? faults.get() : Fault.NONE;
  }
}
