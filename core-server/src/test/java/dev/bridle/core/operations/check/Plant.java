package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A fault to plant.
 *
 * @param name what is done, as a sentence
 * @param planting does it, and returns the subject that the checker must name
 * @param kind what the checker must call it
 * @param repairable whether a repair must leave nothing wrong
 * @param changed the subspaces that a repair may leave other than they were before the fault; where
 *     it can't be repaired: other than the fault left them, since what follows from it is mended
 */
record Plant(
    String name,
    BiFunction<RealTenant, Stored, String> planting,
    FaultKind kind,
    boolean repairable,
    Set<String> changed) {

  static Plant of(FaultKind kind, String name, BiFunction<RealTenant, Stored, String> planting) {
    return new Plant(name, planting, kind, false, Set.of());
  }

  /** Returns the same, as one that can be repaired. */
  Plant mended(String... subspaces) {
    return new Plant(name, planting, kind, true, Set.of(subspaces));
  }

  /** Returns the same, as one that leads to others which are mended in these subspaces. */
  Plant mendedBeside(String... subspaces) {
    return new Plant(name, planting, kind, false, Set.of(subspaces));
  }
}
