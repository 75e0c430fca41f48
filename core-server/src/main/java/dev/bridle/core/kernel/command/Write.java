package dev.bridle.core.kernel.command;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.ClosedLogException;
import dev.bridle.storage.layer.EventAppender;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.PendingEventId;
import java.util.Optional;

/**
 * One attempt of a write: the transaction, who acts, and the ids, time and random bytes that all
 * attempts share. Not safe for several threads.
 */
public final class Write {
  private final Transaction tr;
  private final String tenant;
  private final String actor;
  private final Fixed fixed;
  private final EventLog log;
  private final Optional<String> idempotencyKey;
  private Optional<EventAppender> appender = Optional.empty();
  private Optional<PendingEventId> lastEvent = Optional.empty();

  Write(
      Transaction tr,
      String tenant,
      String actor,
      Fixed fixed,
      EventLog log,
      Optional<String> idempotencyKey) {
    this.tr = tr;
    this.tenant = tenant;
    this.actor = actor;
    this.fixed = fixed;
    this.log = log;
    this.idempotencyKey = idempotencyKey;
    fixed.rewind();
  }

  /** Returns the transaction. */
  public Transaction tr() {
    return tr;
  }

  /** Returns the tenant that is written to. */
  public String tenant() {
    return tenant;
  }

  /** Returns who acts. */
  public String actor() {
    return actor;
  }

  /** Returns the time of the command in Unix milliseconds, the same in every attempt. */
  public long nowMillis() {
    return fixed.nowMillis();
  }

  /** Returns the next id with a prefix: the same one in every attempt. */
  public String id(String prefix) {
    return fixed.id(prefix);
  }

  /** Returns the next random bytes: the same ones in every attempt. */
  public byte[] salt(int count) {
    return fixed.salt(count);
  }

  /** Returns the client's idempotency key. */
  public Optional<String> idempotencyKey() {
    return idempotencyKey;
  }

  /**
   * Returns what appends this transaction's events; {@code resource_not_found} once the tenant is
   * deleted.
   */
  public EventAppender appender() {
    if (appender.isEmpty()) {
      try {
        appender = Optional.of(log.appender(tr, tenant));
      } catch (ClosedLogException e) {
        throw ProtocolException.notFound("tenant", tenant);
      }
    }
    return appender.get();
  }

  /**
   * Fails with {@code resource_not_found} once the tenant is deleted. For writes that read nothing
   * else of the tenant: it is read with a conflict, so that none of them lands after the deletion
   * and leaves rows for good.
   */
  public void needTenant() {
    var unused = appender();
  }

  /** Returns the next place in the order of this transaction's rows, for an index. */
  public PendingEventId order() {
    return appender().order();
  }

  /** Remembers the newest event, which the response may name. */
  public void appended(PendingEventId event) {
    lastEvent = Optional.of(event);
  }

  Optional<PendingEventId> lastEvent() {
    return lastEvent;
  }
}
