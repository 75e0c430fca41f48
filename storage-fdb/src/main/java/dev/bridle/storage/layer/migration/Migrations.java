package dev.bridle.storage.layer.migration;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the format of stored data at start, and migrates older data:
 *
 * <pre>
 * FORMAT              → number of the format
 * FORMAT / "place"    → progress of the running migration
 * </pre>
 */
public final class Migrations {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final String PLACE = "place";
  private static final long LOG_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final Rows rows;
  private final FormatHistory history;

  public Migrations(Rows rows, FormatHistory history) {
    this.rows = rows;
    this.history = history;
  }

  /**
   * Marks new storage with the current format, and migrates older data to it. Other processes must
   * not use the data meanwhile.
   *
   * @throws UnsupportedFormatException if the data has a later format, or one that is too old
   */
  public void run(KeyValueStore store) {
    int format = store.transact(this::formatOrNew);
    history.check(format);
    for (Optional<Migration> next = history.from(format);
        next.isPresent();
        next = history.from(format)) {
      migrate(store, next.get());
      format++;
    }
  }

  /**
   * Returns whether anything is stored, without migrating.
   *
   * @throws UnsupportedFormatException if it has another format than the current one
   */
  public boolean holdsData(KeyValueStore store) {
    Optional<Integer> format = store.read(this::format);
    if (format.isPresent()) {
      history.checkCurrent(format.get());
    }
    return format.isPresent();
  }

  private int formatOrNew(Transaction tr) {
    Optional<Integer> format = format(tr);
    if (format.isEmpty()) {
      tr.set(rows.key(SystemSpace.FORMAT), rows.value(history.current()));
    }
    return format.orElse(history.current());
  }

  /** Returns the stored format; empty if nothing is stored. */
  private Optional<Integer> format(ReadTransaction tr) {
    Optional<byte[]> stored = tr.get(rows.key(SystemSpace.FORMAT));
    if (stored.isEmpty() && !tr.getRange(rows.all(), 1).isEmpty()) {
      throw new UnsupportedFormatException(
          "There is stored data without a format, which no Bridle leaves behind; restore a backup,"
              + " or name another place for the data.");
    }
    return stored.map(
        value ->
            rows.number(value)
                .map(Math::toIntExact)
                .orElseThrow(
                    () -> new UnsupportedFormatException("The stored format is not a number.")));
  }

  private void migrate(KeyValueStore store, Migration migration) {
    int to = migration.from() + 1;
    LOG.warn(
        "Migrating the stored data from format {} to {}, to {}; no older Bridle can use it after",
        migration.from(),
        to,
        migration.summary());
    long steps = 0;
    long lastLogged = System.nanoTime();
    while (!store.transact(tr -> step(tr, migration))) {
      steps++;
      if (System.nanoTime() - lastLogged > LOG_INTERVAL_NANOS) {
        LOG.warn("Migrating to format {}: {} steps are done", to, steps);
        lastLogged = System.nanoTime();
      }
    }
    LOG.warn("The stored data has format {} now, after {} steps", to, steps + 1);
  }

  /** Does a step and returns whether the migration is done, possibly by another process. */
  private boolean step(Transaction tr, Migration migration) {
    byte[] format = rows.key(SystemSpace.FORMAT);
    byte[] place = rows.key(SystemSpace.FORMAT, PLACE);
    long found = tr.get(format).flatMap(rows::number).orElseThrow();
    if (found != migration.from()) {
      return true;
    }
    Optional<byte[]> next = migration.step(tr, rows, tr.get(place));
    if (next.isPresent()) {
      tr.set(place, next.get());
      return false;
    }
    tr.clear(place);
    tr.set(format, rows.value(migration.from() + 1));
    return true;
  }
}
