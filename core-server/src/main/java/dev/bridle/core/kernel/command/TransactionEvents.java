package dev.bridle.core.kernel.command;

import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.ClosedLogException;
import dev.bridle.storage.layer.EventAppender;
import dev.bridle.storage.layer.EventLog;
import java.util.Optional;

/**
 * The events of one transaction and tenant: all writes in it append with one appender, which
 * numbers them. Not thread-safe.
 */
final class TransactionEvents {
  private final EventLog log;
  private final Transaction tr;
  private final String tenant;
  private Optional<EventAppender> appender = Optional.empty();

  TransactionEvents(EventLog log, Transaction tr, String tenant) {
    this.log = log;
    this.tr = tr;
    this.tenant = tenant;
  }

  String tenant() {
    return tenant;
  }

  /** Returns the appender, which is made when it is first needed. */
  EventAppender appender() throws ClosedLogException {
    if (appender.isEmpty()) {
      appender = Optional.of(log.appender(tr, tenant));
    }
    return appender.get();
  }

  /** Completes what was appended. Call this once, before the commit. */
  void finish() {
    appender.ifPresent(EventAppender::finish);
  }
}
