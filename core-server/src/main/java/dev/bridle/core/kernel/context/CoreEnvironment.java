package dev.bridle.core.kernel.context;

import dev.bridle.core.kernel.id.BufferedRandom;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * What a core takes from its host, apart from storage.
 *
 * @param clock wall time
 * @param nanoTime monotonic time, in nanoseconds
 * @param random the source of ids, secrets and jitter
 * @param background runs background work
 * @param exclusive whether no other process uses the storage
 * @param calls wraps or replaces the outbound HTTP client
 */
public record CoreEnvironment(
    Clock clock,
    LongSupplier nanoTime,
    RandomGenerator random,
    Executor background,
    boolean exclusive,
    UnaryOperator<OutboundCalls> calls) {

  /** Returns the production environment, with the given clock. */
  public static CoreEnvironment real(Clock clock, Executor background, boolean exclusive) {
    return new CoreEnvironment(
        clock,
        System::nanoTime,
        new BufferedRandom(),
        background,
        exclusive,
        UnaryOperator.identity());
  }
}
