package dev.bridle.core.kernel.context;

import dev.bridle.core.kernel.outbound.OutboundCalls;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * What a core takes of the machine beneath it, but for storage.
 *
 * @param clock wall time
 * @param nanoTime monotonic time, in nanoseconds
 * @param random where ids, secrets and jitter come from
 * @param background runs work that no call waits for
 * @param exclusive whether no other process uses the storage
 * @param calls calls out, in place of the client that is given
 */
public record CoreEnvironment(
    Clock clock,
    LongSupplier nanoTime,
    RandomGenerator random,
    Executor background,
    boolean exclusive,
    UnaryOperator<OutboundCalls> calls) {

  /** Returns the real machine, but for its clock. */
  public static CoreEnvironment real(Clock clock, Executor background, boolean exclusive) {
    return new CoreEnvironment(
        clock,
        System::nanoTime,
        new SecureRandom(),
        background,
        exclusive,
        UnaryOperator.identity());
  }
}
