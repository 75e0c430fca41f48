package dev.bridle.storage.kit.history;

import dev.bridle.storage.StoreException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Records what many threads do at once. */
public final class Recorder<I, O> {
  private final AtomicLong clock = new AtomicLong();
  private final Queue<Operation<I, O>> operations = new ConcurrentLinkedQueue<>();

  /**
   * Runs one operation and records it; one whose failure says that nothing was written is left out.
   */
  public void record(I input, Supplier<O> operation) {
    long called = clock.incrementAndGet();
    try {
      O output = operation.get();
      operations.add(Operation.known(input, output, called, clock.incrementAndGet()));
    } catch (StoreException e) {
      if (e.outcomeUnknown()) {
        operations.add(Operation.unknown(input, called));
      }
    }
  }

  /** Returns what has been recorded. */
  public List<Operation<I, O>> history() {
    return List.copyOf(operations);
  }
}
