package dev.bridle.core.kernel.context;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a core takes of the machine beneath it, but for storage.
 *
 * @param clock wall time
 * @param nanoTime monotonic time, in nanoseconds
 * @param random where ids, secrets and jitter come from
 * @param background runs work that no call waits for
 */
public record CoreEnvironment(
    Clock clock, LongSupplier nanoTime, RandomGenerator random, Executor background) {}
