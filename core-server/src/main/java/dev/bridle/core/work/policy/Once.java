package dev.bridle.core.work.policy;

import java.util.Optional;
import java.util.function.Supplier;

/** A value that is made when it is first asked for, and kept. Not thread-safe. */
final class Once<T> implements Supplier<T> {
  private final Supplier<T> maker;
  private Optional<T> made = Optional.empty();

  Once(Supplier<T> maker) {
    this.maker = maker;
  }

  @Override
  public T get() {
    T value = made.orElseGet(maker);
    made = Optional.of(value);
    return value;
  }
}
