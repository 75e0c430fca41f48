package dev.bridle.worker;

import java.util.Optional;
import java.util.concurrent.Callable;

/** Which value each thread of a handler computes. */
final class Computing {
  private final ThreadLocal<String> key = ThreadLocal.withInitial(() -> "");
  private final ThreadLocal<Optional<Exception>> failing = ThreadLocal.withInitial(Optional::empty);

  /** Returns the key of the value that this thread computes; empty if none. */
  String key() {
    return key.get();
  }

  /** Lets the next computation of this thread fail, as it was recorded. */
  void fails(Exception recorded) {
    failing.set(Optional.of(recorded));
  }

  /** Returns whether the next computation of this thread fails. */
  boolean fails() {
    return failing.get().isPresent();
  }

  /** Computes a value. */
  <T> T within(String stepKey, Callable<T> compute) throws Exception {
    Optional<Exception> recorded = failing.get();
    if (recorded.isPresent()) {
      failing.remove();
      throw recorded.get();
    }
    String outer = key.get();
    key.set(stepKey);
    try {
      return compute.call();
    } finally {
      key.set(outer);
    }
  }
}
