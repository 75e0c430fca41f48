package dev.bridle.core.operations.check;

import java.util.List;

/**
 * What a check came to.
 *
 * @param findings what is wrong, the first {@value #MAX_FINDINGS}
 * @param found how many findings there were in all
 * @param repaired those of the findings that were repaired, the first {@value #MAX_FINDINGS}
 * @param repairs how many were repaired in all
 * @param sizes how much each subspace held when the check began
 * @param notChecked what could not be compared, in a sentence each
 */
public record CheckReport(
    List<Finding> findings,
    long found,
    List<Finding> repaired,
    long repairs,
    List<SpaceSize> sizes,
    List<String> notChecked) {
  /** How many findings a report keeps; the others are counted only. */
  public static final int MAX_FINDINGS = 1000;

  /** Copies the lists. */
  public CheckReport {
    findings = List.copyOf(findings);
    repaired = List.copyOf(repaired);
    sizes = List.copyOf(sizes);
    notChecked = List.copyOf(notChecked);
  }

  /** Returns whether nothing was found. */
  public boolean clean() {
    return found == 0;
  }

  /** Returns how many keys were there when the check began. */
  public long keys() {
    return sizes.stream().mapToLong(SpaceSize::keys).sum();
  }
}
