package dev.bridle.core.kernel.error;

import dev.bridle.storage.StoreException;
import org.slf4j.Logger;

/**
 * Logs what fails in the background. Failures of the store take one line: where they come from is
 * the disk or the cluster, which no stack shows.
 */
public final class FailureLog {
  private FailureLog() {}

  /** Logs a failure after a sentence about what failed. */
  public static void warn(Logger log, String what, RuntimeException failure) {
    if (failure instanceof StoreException store) {
      log.warn("{} ({}: {})", what, store.code(), store.getMessage());
    } else {
      log.warn("{}", what, failure);
    }
  }
}
