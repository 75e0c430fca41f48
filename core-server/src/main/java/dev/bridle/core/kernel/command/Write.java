package dev.bridle.core.kernel.command;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.ClosedLogException;
import dev.bridle.storage.layer.EventAppender;
import dev.bridle.storage.layer.PendingEventId;
import java.util.Optional;

/**
 * One attempt of a write: the transaction, the actor, and the ids, time and random bytes that all
 * attempts share. Not thread-safe.
 */
public final class Write {
  private final Transaction tr;
  private final String actor;
  private final RepeatableValues values;
  private final TransactionEvents events;
  private final Optional<String> idempotencyKey;
  private final Turns turns;
  private Optional<PendingEventId> lastEvent = Optional.empty();

  Write(
      Transaction tr,
      String actor,
      RepeatableValues values,
      TransactionEvents events,
      Optional<String> idempotencyKey,
      Turns turns) {
    this.tr = tr;
    this.actor = actor;
    this.values = values;
    this.events = events;
    this.idempotencyKey = idempotencyKey;
    this.turns = turns;
    values.rewind();
  }

  /** Returns the transaction. */
  public Transaction tr() {
    return tr;
  }

  /** Returns the tenant that is written to. */
  public String tenant() {
    return events.tenant();
  }

  /** Returns the actor. */
  public String actor() {
    return actor;
  }

  /** Returns the time of the command in Unix milliseconds, the same in every attempt. */
  public long nowMillis() {
    return values.nowMillis();
  }

  /** Returns the number of this attempt of the command, from 1. */
  public int attempt() {
    return values.attempt();
  }

  /** Runs something once, in this thread, when the command ends, however it ends. */
  public void afterwards(Runnable last) {
    values.afterwards(last);
  }

  /**
   * Takes the turn of a row that many writes change: a first attempt is optimistic while nobody has
   * it. Whoever finds it taken begins anew once the turn is its own, maybe in one transaction with
   * others that wait. A command has one turn at most, so that none wait for each other, until it
   * ends. Servers that share a store and meet at a row take turns at it too.
   */
  public void takeTurn(String row) {
    String turn = tenant() + "/" + row;
    if (values.hasTurn()) {
      if (values.failedInTurn()) {
        turns.conflicted(turn);
      }
      return;
    }
    if (values.attempt() == 1 && turns.isFree(turn)) {
      return;
    }
    if (values.attempt() == 1 || turns.isContended(turn) || !turns.tryTake(turn)) {
      throw new TurnTaken(turn, values.attempt() > 1);
    }
    values.takeTurn(() -> turns.end(turn));
  }

  /** Returns the next id with a prefix: the same one in every attempt. */
  public String id(String prefix) {
    return values.id(prefix);
  }

  /** Returns the next random bytes: the same ones in every attempt. */
  public byte[] salt(int count) {
    return values.salt(count);
  }

  /** Returns the client's idempotency key. */
  public Optional<String> idempotencyKey() {
    return idempotencyKey;
  }

  /**
   * Returns the appender of this transaction's events; {@code resource_not_found} once the tenant
   * is deleted.
   */
  public EventAppender appender() {
    try {
      return events.appender();
    } catch (ClosedLogException e) {
      throw ProtocolException.notFound("tenant", tenant());
    }
  }

  /**
   * Fails with {@code resource_not_found} once the tenant is deleted. For writes that read nothing
   * else of the tenant: the check adds a read conflict, so that no write commits after the deletion
   * and leaves orphaned rows.
   */
  public void needTenant() {
    var unused = appender();
  }

  /** Returns the next position in the order of this transaction's rows, for an index. */
  public PendingEventId order() {
    return appender().order();
  }

  /** Completes what was written. Call this once, before the commit. */
  void finish() {
    events.finish();
  }

  /** Records the newest event, whose id the response may carry. */
  public void appended(PendingEventId event) {
    lastEvent = Optional.of(event);
  }

  Optional<PendingEventId> lastEvent() {
    return lastEvent;
  }
}
