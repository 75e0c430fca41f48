package dev.bridle.core.kernel.command;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventLog;
import io.grpc.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of commands that change one row. Whoever gets a turn takes along the others that wait
 * for it, and runs all of them in one transaction. If that fails, each runs by itself in a turn of
 * its own, so that none fails for another's sake. Turns only save attempts: the store's conflicts
 * keep the row whole. Thread-safe.
 */
final class Turns {
  /** The maximum number of commands in one transaction. */
  static final int MAX_TOGETHER = 16;

  private static final Logger log = LoggerFactory.getLogger(Turns.class);

  private final KeyValueStore store;
  private final EventLog events;
  private final Map<String, Deque<Waiting>> taken = new HashMap<>();

  Turns(KeyValueStore store, EventLog events) {
    this.store = store;
    this.events = events;
  }

  /** A command that can be part of a transaction with others of its tenant. */
  static final class Part<R> {
    private final String tenant;
    private final BiFunction<Transaction, TransactionEvents, R> work;
    private final Context caller = Context.current();
    private R response;

    /**
     * @param work one attempt; neither commits nor finishes the events
     */
    Part(String tenant, BiFunction<Transaction, TransactionEvents, R> work) {
      this.tenant = tenant;
      this.work = work;
    }

    void run(Transaction tr, TransactionEvents events) {
      caller.run(() -> response = work.apply(tr, events));
    }
  }

  /** A command that waits; its future tells whether the turn is its own, or it was taken along. */
  private static final class Waiting {
    private final Optional<? extends Part<?>> part;
    private final CompletableFuture<Boolean> hasTurn = new CompletableFuture<>();
    private boolean goesAlone;

    Waiting(Optional<? extends Part<?>> part) {
      this.part = part;
      this.goesAlone = part.isEmpty();
    }
  }

  /** Returns whether nobody has a turn. */
  synchronized boolean isFree(String turn) {
    return !taken.containsKey(turn);
  }

  /** Takes a turn if it is free, until {@link #end}. */
  synchronized boolean tryTake(String turn) {
    return taken.putIfAbsent(turn, new ArrayDeque<>()) == null;
  }

  /** Ends a turn; it is now that of the command which has waited longest. */
  void end(String turn) {
    Optional<Waiting> next;
    synchronized (this) {
      next = Optional.ofNullable(taken.get(turn).poll());
      if (next.isEmpty()) {
        taken.remove(turn);
      }
    }
    next.ifPresent(waiting -> waiting.hasTurn.complete(true));
  }

  /**
   * Runs a command in a turn, and returns its response.
   *
   * @param alone runs it in a transaction of its own
   * @param part runs it in one with others; empty if it can't
   */
  <R> R run(String turn, Supplier<R> alone, Optional<Part<R>> part) {
    Waiting own = new Waiting(part);
    if (!tryTake(turn, own) && !own.hasTurn.join()) {
      return part.orElseThrow().response;
    }
    try {
      if (part.isPresent() && !own.goesAlone && isDoneTogether(turn, part.get())) {
        return part.get().response;
      }
      return alone.get();
    } finally {
      end(turn);
    }
  }

  /** Takes a free turn, or waits for it. */
  private synchronized boolean tryTake(String turn, Waiting waiting) {
    if (tryTake(turn)) {
      return true;
    }
    taken.get(turn).add(waiting);
    return false;
  }

  private boolean isDoneTogether(String turn, Part<?> own) {
    List<Waiting> others = takeAlong(turn);
    if (others.isEmpty()) {
      return false;
    }
    boolean done = false;
    try {
      done =
          store.transact(
              tr -> {
                TransactionEvents all = new TransactionEvents(events, tr, own.tenant);
                own.run(tr, all);
                others.forEach(other -> other.part.orElseThrow().run(tr, all));
                all.finish();
                return true;
              });
    } catch (RuntimeException e) {
      log.debug("{} commands run one by one, as they failed together.", others.size() + 1, e);
    } finally {
      if (!done) {
        putBack(turn, others);
      }
    }
    if (done) {
      others.forEach(other -> other.hasTurn.complete(false));
    }
    return done;
  }

  /** Takes the commands that wait next, up to the first that goes alone. */
  private synchronized List<Waiting> takeAlong(String turn) {
    Deque<Waiting> waiting = taken.get(turn);
    List<Waiting> along = new ArrayList<>();
    while (along.size() < MAX_TOGETHER - 1 && !waiting.isEmpty() && !waiting.peek().goesAlone) {
      along.add(waiting.remove());
    }
    return along;
  }

  private synchronized void putBack(String turn, List<Waiting> along) {
    for (int i = along.size() - 1; i >= 0; i--) {
      along.get(i).goesAlone = true;
      taken.get(turn).addFirst(along.get(i));
    }
  }
}
