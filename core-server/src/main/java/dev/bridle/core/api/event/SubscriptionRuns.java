package dev.bridle.core.api.event;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the rounds of one subscription: never concurrently, and at least once after the last
 * request. A shared run, on a thread that other subscriptions wait for, neither reads the log nor
 * sends without end: it continues as a run of its own. Thread-safe.
 */
final class SubscriptionRuns {
  /** The maximum number of rounds of a shared run. */
  private static final int SHARED_ROUNDS = 512;

  /** The rounds of a subscription. */
  interface Rounds {
    /** What follows a round. */
    enum Next {
      /** A round that sends. */
      SEND,
      /** A round that reads the log, and blocks while it does. */
      READ,
      /** Nothing, until the next request. */
      REST
    }

    /** Sends at most one event; does not block. */
    Next send();

    /** Reads from the log what is sent next. */
    Next read();

    /** A round failed, after which later requests bring new runs. */
    void fail(RuntimeException failure);
  }

  private final Executor executor;
  private final Rounds rounds;
  private final AtomicInteger requests = new AtomicInteger();

  SubscriptionRuns(Executor executor, Rounds rounds) {
    this.executor = executor;
    this.rounds = rounds;
  }

  /** Requests a run, on a thread of the executor. */
  void schedule() {
    if (request()) {
      try {
        executor.execute(() -> run(false));
      } catch (RuntimeException | Error e) {
        requests.set(0); // Else no later request would start a run.
        throw e;
      }
    }
  }

  /**
   * Requests a run. Returns whether none is under way, in which case the caller must have {@link
   * #runShared} called.
   */
  boolean request() {
    return requests.getAndIncrement() == 0;
  }

  /** Runs what was requested, on a thread that other subscriptions wait for. */
  void runShared() {
    run(true);
  }

  private void run(boolean shared) {
    try {
      int seen = requests.get();
      while (seen != 0 && isOver(shared)) {
        seen = requests.addAndGet(-seen);
      }
    } catch (Error e) {
      rounds.fail(new IllegalStateException("A round ended by an error", e));
      requests.set(0); // Else no request would ever start a run again.
      throw e;
    }
  }

  /** Runs once. Returns false where a run of its own continues. */
  private boolean isOver(boolean shared) {
    try {
      if (isDone(shared)) {
        return true;
      }
      executor.execute(() -> run(false));
      return false;
    } catch (RuntimeException e) {
      rounds.fail(e);
      return true;
    }
  }

  /** Makes rounds. Returns whether nothing is left to do that this run may do. */
  private boolean isDone(boolean shared) {
    Rounds.Next next = Rounds.Next.SEND;
    for (int made = 0; next != Rounds.Next.REST; made++) {
      if (shared && (next == Rounds.Next.READ || made == SHARED_ROUNDS)) {
        return false;
      }
      next = next == Rounds.Next.READ ? rounds.read() : rounds.send();
    }
    return true;
  }
}
