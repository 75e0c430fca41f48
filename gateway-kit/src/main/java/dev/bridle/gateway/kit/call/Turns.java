package dev.bridle.gateway.kit.call;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Lets few calls run at once, in total and per holder, and the others wait: for calls that take
 * much memory, however long their clients wait for them. Holders take turns. Thread-safe.
 */
public final class Turns {
  private final int total;
  private final int perHolder;
  private final Map<String, Integer> running = new HashMap<>();
  private final Map<String, Queue<Runnable>> waiting = new LinkedHashMap<>();
  private final AtomicInteger beginning = new AtomicInteger();
  private int runningOfAll;

  /**
   * @param total the most calls of all that run at once
   * @param perHolder the most calls of one holder
   */
  public Turns(int total, int perHolder) {
    this.total = total;
    this.perHolder = perHolder;
  }

  /** Makes a call of a holder once it may run, and returns its result. */
  public <T> CompletableFuture<T> take(String holder, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      waiting.computeIfAbsent(holder, name -> new ArrayDeque<>()).add(() -> run(call, result));
    }
    var unused = result.whenComplete((done, failure) -> end(holder));
    begin();
    return result;
  }

  /** Returns how many calls wait. */
  public synchronized int waiting() {
    return waiting.values().stream().mapToInt(Queue::size).sum();
  }

  private static <T> void run(Supplier<CompletableFuture<T>> call, CompletableFuture<T> result) {
    CompletableFuture<T> made;
    try {
      made = call.get();
    } catch (Throwable e) { // Of any kind: a turn that is not given back is lost.
      result.completeExceptionally(e);
      return;
    }
    var unused =
        made.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  private void end(String holder) {
    synchronized (this) {
      runningOfAll--;
      running.computeIfPresent(holder, (name, own) -> own > 1 ? own - 1 : null);
    }
    begin();
  }

  /**
   * A call that has its result at once ends here, too: by one loop, whatever the number of calls.
   */
  private void begin() {
    if (beginning.getAndIncrement() > 0) {
      return;
    }
    do {
      for (Optional<Runnable> next = next(); next.isPresent(); next = next()) {
        next.get().run();
      }
    } while (beginning.decrementAndGet() > 0);
  }

  private synchronized Optional<Runnable> next() {
    if (runningOfAll == total) {
      return Optional.empty();
    }
    Optional<String> holder =
        waiting.keySet().stream()
            .filter(name -> running.getOrDefault(name, 0) < perHolder)
            .findFirst();
    return holder.map(
        name -> {
          runningOfAll++;
          running.merge(name, 1, Integer::sum);
          Queue<Runnable> own = waiting.remove(name);
          Runnable next = own.remove();
          if (!own.isEmpty()) {
            waiting.put(name, own); // Behind the others.
          }
          return next;
        });
  }
}
