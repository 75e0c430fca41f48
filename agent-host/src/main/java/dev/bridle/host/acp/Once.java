package dev.bridle.host.acp;

import java.util.function.Supplier;

/** A value that is made when it is first asked for, and kept. Thread-safe. */
final class Once<T> {
  private final Supplier<T> maker;
  private T value;
  private boolean isMade;

  Once(Supplier<T> maker) {
    this.maker = maker;
  }

  synchronized T get() {
    if (!isMade) {
      value = maker.get();
      isMade = true;
    }
    return value;
  }
}
