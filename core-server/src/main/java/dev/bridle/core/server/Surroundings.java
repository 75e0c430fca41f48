package dev.bridle.core.server;

import dev.bridle.core.kernel.outbound.OutboundCalls;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * What a core has of the machine beneath it, but for storage.
 *
 * @param clock wall time
 * @param nanoTime monotonic time
 * @param random where ids and secrets come from
 * @param background what runs work that no call waits for
 * @param calls what calls out, in the place of what is given
 */
record Surroundings(
    Clock clock,
    LongSupplier nanoTime,
    RandomGenerator random,
    Executor background,
    UnaryOperator<OutboundCalls> calls) {

  static Surroundings real(Clock clock, Executor background) {
    return new Surroundings(
        clock, System::nanoTime, new SecureRandom(), background, calls -> calls);
  }
}
