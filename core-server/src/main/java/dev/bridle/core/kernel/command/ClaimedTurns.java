package dev.bridle.core.kernel.command;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.TurnClaims;
import dev.bridle.storage.layer.TurnClaims.Claim;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns of servers by claims in their store, for rows at which they have met. A server keeps a turn
 * for a slice of time at most while others wait, and hands it to the next of them in one
 * transaction; without work it hands it on at once. A claim that stays the same for longer than any
 * slice is a dead server's, and is taken over. Thread-safe.
 */
final class ClaimedTurns implements ServerTurns {
  private static final Logger log = LoggerFactory.getLogger(ClaimedTurns.class);
  private static final int MAX_ROWS = 10_000;
  private static final int HASH_BYTES = 16;
  private static final TransactionOptions QUICK = new TransactionOptions(Duration.ofSeconds(1), 10);

  private final KeyValueStore store;
  private final TurnClaims claims;
  private final String process;
  private final Times times;
  private final LongSupplier nanoTime;

  /** Until when turns are taken at a row. */
  private final Map<String, Long> contended = new ConcurrentHashMap<>();

  /** When the slice of a turn that this server has ends. */
  private final Map<String, Long> held = new ConcurrentHashMap<>();

  /**
   * The times of turns.
   *
   * @param slice how long a server keeps a turn that others wait for: many times what passing it on
   *     takes
   * @param stale how long a claim may stay the same: longer than a slice and the transaction that
   *     it ends with
   * @param patience how long a server waits for a turn
   * @param contended how long a server takes turns at a row after it has last met another there
   * @param quiet how long it still does when nobody waited for its turn
   */
  record Times(
      Duration slice, Duration stale, Duration patience, Duration contended, Duration quiet) {
    static final Times DEFAULT =
        new Times(
            Duration.ofMillis(200),
            Duration.ofMillis(2500),
            Duration.ofSeconds(4),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1));
  }

  /**
   * @param process a name that no other process has
   */
  ClaimedTurns(
      KeyValueStore store, TurnClaims claims, String process, Times times, LongSupplier nanoTime) {
    this.store = store;
    this.claims = claims;
    this.process = process;
    this.times = times;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean isContended(String turn) {
    Long until = contended.get(turn);
    return until != null && nanoTime.getAsLong() - until < 0;
  }

  @Override
  public void conflicted(String turn) {
    contendedFor(turn, times.contended());
  }

  @Override
  public void enter(String turn) {
    if (!isContended(turn)) {
      return;
    }
    try {
      byte[] row = row(turn);
      Long sliceEnds = held.get(turn);
      if (sliceEnds != null && nanoTime.getAsLong() - sliceEnds < 0) {
        return;
      }
      if ((sliceEnds != null && passOn(turn, row, true)) || acquire(turn, row)) {
        held.put(turn, nanoTime.getAsLong() + times.slice().toNanos());
      } else {
        held.remove(turn);
      }
    } catch (StoreException e) {
      log.debug("A turn is taken without a claim.", e);
      held.remove(turn);
    }
  }

  @Override
  public boolean holds(String turn) {
    return held.containsKey(turn);
  }

  @Override
  public void leave(String turn) {
    try {
      boolean unused = passOn(turn, row(turn), false);
    } catch (StoreException e) {
      log.debug("A turn is not passed on; others take it once its claim is stale.", e);
    } finally {
      held.remove(turn);
    }
  }

  /**
   * Gives the turn to who waits next.
   *
   * @param goesOn whether this server has more to do in it
   * @return whether it keeps the turn, since nobody waits
   */
  private boolean passOn(String turn, byte[] row, boolean goesOn) {
    Optional<Boolean> keeps =
        store.transact(
            QUICK,
            tr -> {
              if (claims.find(tr, row).filter(this::isOurs).isEmpty()) {
                return Optional.of(false); // Others thought that this server was dead.
              }
              Optional<String> next = claims.next(tr, row, process);
              if (next.isPresent()) {
                claims.give(tr, row, next.get());
                if (goesOn) {
                  claims.await(tr, row, process);
                }
                return Optional.of(false);
              }
              if (goesOn) {
                claims.give(tr, row, process);
              } else {
                claims.free(tr, row);
              }
              return Optional.<Boolean>empty();
            });
    contendedFor(turn, keeps.isEmpty() ? times.quiet() : times.contended());
    return keeps.isEmpty() && goesOn;
  }

  /** Waits until this server has the turn, and returns whether it has. */
  private boolean acquire(String turn, byte[] row) {
    long deadline = nanoTime.getAsLong() + times.patience().toNanos();
    Optional<Claim> seen = Optional.empty();
    long seenAt = 0;
    while (true) {
      Optional<Claim> before = seen;
      boolean isStale =
          before.isPresent() && nanoTime.getAsLong() - seenAt >= times.stale().toNanos();
      Look look = store.transact(QUICK, tr -> look(tr, row, before.filter(claim -> isStale)));
      if (look.others().isEmpty()) {
        return true;
      }
      contendedFor(turn, times.contended());
      long now = nanoTime.getAsLong();
      if (!look.others().equals(seen)) {
        seen = look.others();
        seenAt = now;
      }
      long left = Math.min(deadline, seenAt + times.stale().toNanos()) - now;
      if (!waited(look.change(), left) || nanoTime.getAsLong() - deadline >= 0) {
        return givesUp(row);
      }
    }
  }

  /**
   * What a look at a row has found.
   *
   * @param others the claim of another; empty if this server has the turn now
   * @param change completes once it has changed
   */
  private record Look(Optional<Claim> others, CompletableFuture<Void> change) {}

  /**
   * Takes the turn if it is free, or this server's already, or still the one that is stale.
   *
   * @param stale a claim of a server that is dead
   */
  private Look look(Transaction tr, byte[] row, Optional<Claim> stale) {
    Optional<Claim> claim = claims.find(tr, row);
    if (claim.isPresent() && !isOurs(claim.get()) && !claim.equals(stale)) {
      claims.await(tr, row, process);
      return new Look(claim, claims.watch(tr, row));
    }
    claims.give(tr, row, process);
    return new Look(Optional.empty(), CompletableFuture.completedFuture(null));
  }

  /** Waits for a change, and returns false if the thread was interrupted. */
  private static boolean waited(CompletableFuture<Void> change, long nanos) {
    try {
      change.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return true; // The next look shows what has become of it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      change.cancel(false);
    }
  }

  /** Waits no longer, and returns whether the turn has come just now. */
  private boolean givesUp(byte[] row) {
    return store.transact(
        QUICK,
        tr -> {
          claims.waitNoLonger(tr, row, process);
          return claims.find(tr, row).filter(this::isOurs).isPresent();
        });
  }

  private boolean isOurs(Claim claim) {
    return claim.process().equals(process);
  }

  private void contendedFor(String turn, Duration time) {
    long now = nanoTime.getAsLong();
    if (contended.size() >= MAX_ROWS) {
      contended.values().removeIf(until -> now - until >= 0);
    }
    contended.put(turn, now + time.toNanos());
  }

  /** Returns what names a row in keys: tenants' ids stay out of them. */
  static byte[] row(String turn) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(turn.getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(hash, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
