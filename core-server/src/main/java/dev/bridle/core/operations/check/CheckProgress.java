package dev.bridle.core.operations.check;

/** Told how far a check is, and what it has found, while it goes on. */
public interface CheckProgress {
  /** Listens to nothing. */
  CheckProgress SILENT = new CheckProgress() {};

  /**
   * Called now and then.
   *
   * @param step what is being checked
   * @param rows how many rows have been looked at since the check began
   */
  default void at(String step, long rows) {}

  /** Called with each finding that the report keeps, once it is sure. */
  default void found(Finding finding) {}

  /** Called with each finding that has been repaired. */
  default void repaired(Finding finding) {}
}
