package dev.bridle.storage.kit.history;

import java.util.Optional;

/**
 * One operation of a history.
 *
 * @param input what was asked
 * @param output what was answered; empty where the outcome is unknown: the operation has taken
 *     effect at some time after its call, however late, or never
 * @param called when it was called, on a clock that all operations share
 * @param returned when its answer came; means nothing where there is none
 */
public record Operation<I, O>(I input, Optional<O> output, long called, long returned) {

  /** Returns an operation whose answer is known. */
  public static <I, O> Operation<I, O> known(I input, O output, long called, long returned) {
    return new Operation<>(input, Optional.of(output), called, returned);
  }

  /** Returns an operation that may have taken effect or not, or may yet. */
  public static <I, O> Operation<I, O> unknown(I input, long called) {
    return new Operation<>(input, Optional.empty(), called, Long.MAX_VALUE);
  }
}
