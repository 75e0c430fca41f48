package dev.bridle.core.operations.check.finding;

import java.util.List;

/**
 * The result of a check.
 *
 * @param findings the first {@value #MAX_FINDINGS} findings
 * @param found the total number of findings
 * @param repaired the first {@value #MAX_FINDINGS} repaired findings
 * @param repairs the total number of repaired findings
 * @param sizes the size of each subspace when the check started
 * @param notChecked a sentence for each part that could not be checked
 */
public record CheckReport(
    List<Finding> findings,
    long found,
    List<Finding> repaired,
    long repairs,
    List<SpaceSize> sizes,
    List<String> notChecked) {
  /** The maximum number of findings that a report keeps; further ones are only counted. */
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

  /** Returns the number of keys when the check started. */
  public long keys() {
    return sizes.stream().mapToLong(SpaceSize::keys).sum();
  }
}
