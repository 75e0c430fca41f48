package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Performs the reads of one transaction: at the version of its first read, and merged with its own
 * writes.
 */
final class TransactionReads {
  private final CommitPath commits;
  private final LongSupplier nanoTime;
  private final WriteOverlay overlay;
  private final long deadlineNanos;
  private final List<Span> conflicts = new ArrayList<>();
  private PublishedVersion published;
  private long readNanos;
  private long bytes;
  private boolean touchedUnreadable;

  TransactionReads(
      CommitPath commits, LongSupplier nanoTime, WriteOverlay overlay, long deadlineNanos) {
    this.commits = commits;
    this.nanoTime = nanoTime;
    this.overlay = overlay;
    this.deadlineNanos = deadlineNanos;
  }

  Optional<byte[]> get(byte[] rawKey, boolean conflict) {
    byte[] key = Arguments.key(rawKey);
    PublishedVersion at = version();
    Write own = overlay.find(key).orElse(null);
    if (own instanceof Write.Stamped || overlay.isUnreadable(Span.point(key))) {
      throw touchedUnreadable();
    }
    if (own instanceof Write.Value value) {
      return Optional.of(value.bytes().clone());
    }
    if (own instanceof Write.Cleared) {
      return Optional.empty();
    }
    if (conflict) {
      addConflict(Span.point(key));
    }
    byte[] stored = at.get(key);
    return own instanceof Write.Added added
        ? Optional.of(AtomicAdd.apply(stored == null ? new byte[0] : stored, added.delta()))
        : Optional.ofNullable(stored);
  }

  List<KeyValue> getRange(KeyRange range, int limit, boolean reverse, boolean conflict) {
    LimitCheck.rows(limit);
    Span span = Arguments.range(range);
    PublishedVersion at = version();
    if (Arguments.isEmpty(span)) {
      return List.of();
    }
    if (overlay.isUnreadable(span)) {
      throw touchedUnreadable();
    }
    List<KeyValue> pairs = new RangeScan(at, overlay, span, limit, reverse).run();
    if (conflict) {
      addConflict(pairs.size() < limit ? span : seen(span, pairs, reverse));
    }
    return pairs;
  }

  /** Returns the range that a scan which stopped at its limit has read. */
  private static Span seen(Span span, List<KeyValue> pairs, boolean reverse) {
    byte[] last = pairs.get(pairs.size() - 1).key().clone();
    return reverse ? new Span(last, span.end()) : new Span(span.begin(), KeyRange.after(last));
  }

  /** Adds a conflict at this transaction's read version, which is taken now if it has none yet. */
  void addConflict(Span span) {
    version();
    if (span.isPoint() || !Arguments.isEmpty(span)) {
      conflicts.add(span);
      bytes += span.bytes();
    }
  }

  /** Returns the version that is read at, and checks the transaction's age and time. */
  PublishedVersion version() {
    long now = nanoTime.getAsLong();
    if (published == null) {
      published = commits.retainCurrent();
      readNanos = now;
    } else if (now - readNanos > StoreLimits.MAX_TRANSACTION_AGE.toNanos()) {
      throw Refusal.TOO_OLD.toException();
    }
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new StoreException(Code.TIMED_OUT, "The transaction ran out of its time.");
    }
    return published;
  }

  /** Returns the version that was read at, if anything was read. */
  OptionalLong versionIfTaken() {
    return published == null ? OptionalLong.empty() : OptionalLong.of(published.version());
  }

  long readNanos() {
    return readNanos;
  }

  List<Span> conflicts() {
    return conflicts;
  }

  long bytes() {
    return bytes;
  }

  void release() {
    if (published != null) {
      published.release();
      published = null;
    }
  }

  /** Rejects a commit after a read of an unknown versionstamp, as FoundationDB does. */
  void checkReadable() {
    if (touchedUnreadable) {
      throw unreadable();
    }
  }

  private StoreException touchedUnreadable() {
    touchedUnreadable = true;
    return unreadable();
  }

  private static StoreException unreadable() {
    return new StoreException(
        Code.ACCESSED_UNREADABLE,
        "The transaction read a key whose versionstamp is known only after its commit.");
  }
}
