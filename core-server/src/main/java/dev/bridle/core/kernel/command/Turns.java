package dev.bridle.core.kernel.command;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.EventLog;
import io.grpc.Context;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of commands that change one row. Whoever gets a turn takes along the others that wait
 * for it, and runs all of them in one transaction. If that fails, each runs by itself, so that none
 * fails for another's sake. Nobody waits for a turn for long: turns only save attempts, and the
 * store's conflicts keep the row whole. Thread-safe.
 */
final class Turns {
  /** The maximum number of commands in one transaction. */
  static final int MAX_TOGETHER = 16;

  /** The maximum size of what their callers sent: a transaction stores it several times. */
  static final long MAX_BYTES = 1 << 20;

  private static final Logger log = LoggerFactory.getLogger(Turns.class);

  /** How long a command waits for a turn. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final TransactionOptions OF_MANY =
      new TransactionOptions(Duration.ofSeconds(2), 5);

  private final KeyValueStore store;
  private final EventLog events;
  private final Duration patience;
  private final ServerTurns servers;
  private final Map<String, Deque<Waiting<?>>> taken = new HashMap<>();

  /**
   * @param patience how long a command waits for a turn
   * @param servers how this process takes turns with others
   */
  Turns(KeyValueStore store, EventLog events, Duration patience, ServerTurns servers) {
    this.store = store;
    this.events = events;
    this.patience = patience;
    this.servers = servers;
  }

  /**
   * One attempt of a command in a transaction that others share; it neither commits nor finishes
   * the events.
   */
  interface Attempt<R> {
    /** Makes the attempt. */
    R in(Transaction tr, TransactionEvents events);
  }

  /**
   * How a command goes with others in one transaction.
   *
   * @param tenant its tenant
   * @param bytes about how much its caller has sent
   * @param attempt one attempt
   */
  record Part<R>(String tenant, long bytes, Attempt<R> attempt) {}

  /** A command that waits for a turn, or has it. */
  private static final class Waiting<R> {
    private final Optional<Part<R>> part;
    private final Context caller = Context.current();
    // Whether the turn is its own, or it was taken along and is done.
    private final CompletableFuture<Boolean> hasTurn = new CompletableFuture<>();
    private boolean goesAlone;
    private boolean maybeApplied;
    private R response;

    Waiting(Optional<Part<R>> part, boolean maybeApplied) {
      this.part = part;
      this.goesAlone = part.isEmpty();
      this.maybeApplied = maybeApplied;
    }

    void attempt(Transaction tr, TransactionEvents events) {
      caller.run(() -> response = part.orElseThrow().attempt().in(tr, events));
    }

    /** Returns whether it fits into a transaction of a tenant that has room for so many bytes. */
    boolean goesWith(String tenant, long room) {
      return !goesAlone && part.orElseThrow().tenant().equals(tenant) && bytes() <= room;
    }

    long bytes() {
      return part.orElseThrow().bytes();
    }
  }

  /** Returns whether nobody has a turn, here or in other processes. */
  boolean isFree(String turn) {
    return !servers.isContended(turn) && isFreeHere(turn);
  }

  private synchronized boolean isFreeHere(String turn) {
    return !taken.containsKey(turn);
  }

  /** Returns whether a turn is to be waited for in {@link #run}, though nobody here has it. */
  boolean isContended(String turn) {
    return servers.isContended(turn);
  }

  /** Notes that a command conflicted in its turn, so with another process. */
  void conflicted(String turn) {
    servers.conflicted(turn);
  }

  /** Takes a turn if it is free, until {@link #end}. */
  synchronized boolean tryTake(String turn) {
    return taken.putIfAbsent(turn, new ArrayDeque<>()) == null;
  }

  /** Ends a turn; it is now that of the command which has waited longest. */
  void end(String turn) {
    if (!isPassedOn(turn, servers.holds(turn))) {
      // Who comes meanwhile waits for this process to have the turn again.
      servers.leave(turn);
      boolean unused = isPassedOn(turn, false);
    }
  }

  /**
   * Gives a turn to who waits here, or frees it, unless other processes are to have it first.
   *
   * @return whether it is no longer the caller's
   */
  private boolean isPassedOn(String turn, boolean isOfServer) {
    Optional<Waiting<?>> next;
    synchronized (this) {
      next = Optional.ofNullable(taken.get(turn).poll());
      if (next.isEmpty() && isOfServer) {
        return false;
      }
      if (next.isEmpty()) {
        taken.remove(turn);
      }
    }
    next.ifPresent(waiting -> waiting.hasTurn.complete(true));
    return true;
  }

  /**
   * Runs a command that has met a taken turn, in a turn of its own or along with others, or after a
   * while without, and returns its response.
   *
   * @param met the turn
   * @param alone runs it in a transaction of its own
   * @param part runs it in one with others; empty if it can't
   * @throws StoreException {@code COMMIT_UNKNOWN} if nothing was written at last, but an earlier
   *     attempt may have been applied
   */
  <R> R run(TurnTaken met, Supplier<R> alone, Optional<Part<R>> part) {
    String turn = met.turn();
    Waiting<R> own = new Waiting<>(part, met.afterAttempts());
    boolean hasTurn = tryTake(turn, own) || awaitTurn(turn, own);
    if (!hasTurn && own.hasTurn.isDone()) {
      return own.response;
    }
    try {
      if (hasTurn) {
        servers.enter(turn);
      }
      return hasTurn && !own.goesAlone && isDoneTogether(turn, own) ? own.response : alone.get();
    } catch (StoreException e) {
      throw RetryLoop.verdict(e, own.maybeApplied);
    } finally {
      if (hasTurn) {
        end(turn);
      }
    }
  }

  /** Takes a free turn, or a place among those that wait for it. */
  private synchronized boolean tryTake(String turn, Waiting<?> own) {
    if (tryTake(turn)) {
      return true;
    }
    taken.get(turn).add(own);
    return false;
  }

  /**
   * Waits for a turn. Returns whether it is the command's own; if not, it was done by another, or
   * waits no longer, and its future is not done.
   */
  private boolean awaitTurn(String turn, Waiting<?> own) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return own.hasTurn.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (leaves(turn, own)) {
            return false;
          }
        } catch (InterruptedException e) {
          interrupted = true;
          if (leaves(turn, own)) {
            return false;
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes a command from those that wait, unless another has taken it along. */
  private synchronized boolean leaves(String turn, Waiting<?> own) {
    return Optional.ofNullable(taken.get(turn)).map(all -> all.remove(own)).orElse(false);
  }

  private boolean isDoneTogether(String turn, Waiting<?> own) {
    List<Waiting<?>> all = takeAlong(turn, own);
    if (all.size() == 1) {
      return false;
    }
    try {
      boolean unused = store.transact(OF_MANY, tr -> attempt(tr, all));
    } catch (RuntimeException | Error e) {
      // Whose fault it is shows where each runs by itself.
      log.debug("{} commands run one by one, as they failed together.", all.size(), e);
      putBack(turn, all.subList(1, all.size()), e instanceof StoreException);
      own.maybeApplied |= e instanceof StoreException;
      return false;
    }
    all.subList(1, all.size()).forEach(other -> other.hasTurn.complete(false));
    return true;
  }

  private boolean attempt(Transaction tr, List<Waiting<?>> all) {
    TransactionEvents shared =
        new TransactionEvents(events, tr, all.get(0).part.orElseThrow().tenant());
    all.forEach(one -> one.attempt(tr, shared));
    shared.finish();
    return true;
  }

  /** Takes a command and those that wait next, up to one that does not go with it. */
  private synchronized List<Waiting<?>> takeAlong(String turn, Waiting<?> own) {
    Deque<Waiting<?>> waiting = taken.get(turn);
    String tenant = own.part.orElseThrow().tenant();
    List<Waiting<?>> all = new ArrayList<>(List.of(own));
    long room = MAX_BYTES - own.bytes();
    while (all.size() < MAX_TOGETHER
        && !waiting.isEmpty()
        && waiting.peek().goesWith(tenant, room)) {
      room -= waiting.peek().bytes();
      all.add(waiting.remove());
    }
    return all;
  }

  private synchronized void putBack(String turn, List<Waiting<?>> others, boolean maybeApplied) {
    for (int i = others.size() - 1; i >= 0; i--) {
      others.get(i).goesAlone = true;
      others.get(i).maybeApplied |= maybeApplied;
      taken.get(turn).addFirst(others.get(i));
    }
  }
}
