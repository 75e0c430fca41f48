package dev.bridle.worker;

import java.util.concurrent.Callable;

/** Which value each thread of a handler computes. */
final class Computing {
  private final ThreadLocal<String> key = ThreadLocal.withInitial(() -> "");

  /** Returns the key of the value that this thread computes; empty if none. */
  String key() {
    return key.get();
  }

  /** Computes a value. */
  <T> T within(String stepKey, Callable<T> compute) throws Exception {
    String outer = key.get();
    key.set(stepKey);
    try {
      return compute.call();
    } finally {
      key.set(outer);
    }
  }
}
