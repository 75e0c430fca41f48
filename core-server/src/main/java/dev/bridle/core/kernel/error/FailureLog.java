package dev.bridle.core.kernel.error;

import dev.bridle.storage.StoreException;
import org.slf4j.Logger;

/**
 * Logs failures of background work. Failures of the store take one line without a stack trace,
 * since their cause is the disk or the cluster. Those of a store that does not answer in time are
 * no warnings: the store itself says once that it does not answer.
 */
public final class FailureLog {
  private FailureLog() {}

  /** Logs a failure after a sentence about what failed. */
  public static void warn(Logger log, String what, RuntimeException failure) {
    if (failure instanceof StoreException store && store.code() == StoreException.Code.TIMED_OUT) {
      log.info("{} ({})", what, store.getMessage());
    } else if (failure instanceof StoreException store) {
      log.warn("{} ({}: {})", what, store.code(), store.getMessage());
    } else {
      log.warn("{}", what, failure);
    }
  }
}
