package dev.bridle.core.operations.check.finding;

/** Receives progress and findings of a running check. */
public interface CheckProgress {
  /** Ignores all progress. */
  CheckProgress SILENT = new CheckProgress() {};

  /**
   * Called from time to time.
   *
   * @param step what is being checked
   * @param rows the number of rows checked so far
   */
  default void at(String step, long rows) {}

  /** Called with each confirmed finding that the report keeps. */
  default void found(Finding finding) {}

  /** Called with each finding that has been repaired. */
  default void repaired(Finding finding) {}
}
