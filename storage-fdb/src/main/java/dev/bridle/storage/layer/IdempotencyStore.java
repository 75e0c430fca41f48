package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Stores which commands have been applied:
 *
 * <pre>
 * tenant / KEYED_COMMAND / generation, scope hash    → commit stamp (client's keys)
 * tenant / KEYED_COMMAND / generation, scope hash, 0 → record
 * tenant / COMMAND / time bucket, id                 → commit stamp (all others)
 * tenant / IDEMPOTENCY / scope hash                  → commit stamp (earlier releases)
 * tenant / IDEMPOTENCY / scope hash, 0               → record
 * </pre>
 *
 * <p>All are read with a conflict, so that a late first attempt and its retry can't both be
 * applied.
 *
 * <p>A generation is a period of {@link #GENERATION_MILLIS}, and a record lies in that of its
 * command's time. A lookup reads every generation in which a command may lie that is at most {@link
 * #RETENTION_MILLIS} old, by a clock up to {@link #CLOCK_MARGIN_MILLIS} away: always two. So two
 * commands under one key conflict even where their servers are in different generations, since each
 * reads what the other writes. What no server looks for any more is deleted by generation.
 */
public final class IdempotencyStore {
  /** How long an internal command id may be retried; buckets older than twice this are deleted. */
  public static final long BUCKET_MILLIS = 10 * 60 * 1000L;

  /** How long a client's key is remembered at least. */
  public static final long RETENTION_MILLIS = 24 * 60 * 60 * 1000L;

  /** How far apart the clocks of two servers may be without a key being overlooked. */
  public static final long CLOCK_MARGIN_MILLIS = 30 * 60 * 1000L;

  /** How long a generation is: two of them cover the retention with a margin on either side. */
  public static final long GENERATION_MILLIS = RETENTION_MILLIS + 2 * CLOCK_MARGIN_MILLIS;

  private final KeyLayout layout;
  private final LargeValue values;

  public IdempotencyStore(KeyLayout layout) {
    this.layout = layout;
    this.values = new LargeValue(layout);
  }

  /** Returns the generation of a command that was made at a time. */
  public static long generationOf(long millis) {
    return Math.floorDiv(millis, GENERATION_MILLIS);
  }

  /** Returns the command that was applied under a client's key. */
  public Optional<AppliedCommand> find(
      ReadTransaction tr, String tenant, String scope, long nowMillis) {
    long newest = generationOf(nowMillis + CLOCK_MARGIN_MILLIS);
    List<Tuple> places =
        List.of(
            keyed(tenant, newest, scope), keyed(tenant, newest - 1, scope), earlier(tenant, scope));
    // Started together, so that they share a round trip.
    List<CompletableFuture<Optional<byte[]>>> stamps =
        places.stream().map(place -> tr.getAsync(layout.key(place))).toList();
    for (int i = 0; i < places.size(); i++) {
      Optional<byte[]> stamp = stamps.get(i).join();
      if (stamp.isPresent()) {
        byte[] record = layout.key(places.get(i).add(0));
        return Optional.of(
            new AppliedCommand(
                stamp.get(), values.get(tr, record).orElseThrow(IllegalStateException::new)));
      }
    }
    return Optional.empty();
  }

  /**
   * Records a command under a client's key.
   *
   * @param nowMillis the command's time, with which it was looked for
   */
  public void record(Transaction tr, String tenant, String scope, long nowMillis, byte[] record) {
    Tuple key = keyed(tenant, generationOf(nowMillis), scope);
    tr.setVersionstampedValue(layout.key(key), Stamps.value(new byte[Stamps.BYTES], 0));
    values.set(tr, layout.key(key.add(0)), record, 0);
  }

  /**
   * A stored answer.
   *
   * @param key where its record lies
   * @param record the record
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  public record StoredAnswer(byte[] key, byte[] record) {}

  /**
   * A page of stored answers.
   *
   * @param answers the answers
   * @param next where the next page begins; empty: there is none
   */
  public record Answers(List<StoredAnswer> answers, Optional<byte[]> next) {
    /** Copies the answers. */
    public Answers {
      answers = List.copyOf(answers);
    }
  }

  /**
   * Returns the answers among the next rows of a tenant's commands with a client's key.
   *
   * @param from where the page before ended; empty for the first page
   * @param rows the number of rows to look at
   */
  public Answers answers(ReadTransaction tr, String tenant, Optional<byte[]> from, int rows) {
    KeyRange earlier = layout.children(layout.tenant(tenant, TenantSpace.IDEMPOTENCY));
    KeyRange keyed = layout.children(layout.tenant(tenant, TenantSpace.KEYED_COMMAND));
    byte[] begin = from.orElse(earlier.begin());
    boolean inEarlier = Arrays.compareUnsigned(begin, earlier.end()) < 0;
    KeyRange range = new KeyRange(begin, inEarlier ? earlier.end() : keyed.end());
    int items = layout.tenant(tenant, TenantSpace.KEYED_COMMAND).size() + (inEarlier ? 2 : 3);
    List<KeyValue> page = tr.getRange(range, rows);
    List<StoredAnswer> answers = new ArrayList<>();
    for (KeyValue row : page) {
      if (layout.unpack(row.key()).size() == items) {
        answers.add(new StoredAnswer(row.key(), values.join(tr, row.key(), row.value())));
      }
    }
    if (page.size() == rows) {
      return new Answers(answers, Optional.of(KeyRange.after(page.get(rows - 1).key())));
    }
    return new Answers(answers, inEarlier ? Optional.of(keyed.begin()) : Optional.empty());
  }

  /** Replaces the record of a stored answer, unless it has been deleted. */
  public void replace(Transaction tr, StoredAnswer answer, byte[] record) {
    if (tr.get(answer.key()).isPresent()) {
      values.set(tr, answer.key(), record, LargeValue.furtherChunks(answer.record().length));
    }
  }

  /** Deletes the record that an earlier release stored under a client's key. */
  public void forgetEarlier(Transaction tr, String tenant, String scope) {
    Tuple key = earlier(tenant, scope);
    tr.clear(layout.key(key));
    tr.clear(layout.children(key));
  }

  /** Returns the commit stamp of a command without a client's key, if it has been applied. */
  public Optional<byte[]> findMinted(
      ReadTransaction tr, String tenant, long mintedMillis, String commandId) {
    return tr.get(minted(tenant, mintedMillis, commandId));
  }

  /** Records a command without a client's key. */
  public void recordMinted(Transaction tr, String tenant, long mintedMillis, String commandId) {
    tr.setVersionstampedValue(
        minted(tenant, mintedMillis, commandId), Stamps.value(new byte[Stamps.BYTES], 0));
  }

  /**
   * Deletes the tenant's records of commands that no server looks for any more. Reads nothing, and
   * clears nothing that any lookup reads, so it conflicts with no command and may run on several
   * servers at once.
   */
  public void forgetOld(Transaction tr, String tenant, long nowMillis) {
    clearBefore(tr, layout.tenant(tenant, TenantSpace.COMMAND), nowMillis / BUCKET_MILLIS - 1);
    clearBefore(tr, layout.tenant(tenant, TenantSpace.KEYED_COMMAND), generationOf(nowMillis) - 1);
  }

  private void clearBefore(Transaction tr, Tuple parent, long oldest) {
    tr.clear(new KeyRange(layout.children(parent).begin(), layout.key(parent.add(oldest))));
  }

  private Tuple keyed(String tenant, long generation, String scope) {
    return layout.tenant(tenant, TenantSpace.KEYED_COMMAND).add(generation).add(scope);
  }

  private Tuple earlier(String tenant, String scope) {
    return layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
  }

  private byte[] minted(String tenant, long mintedMillis, String commandId) {
    return layout.key(
        layout
            .tenant(tenant, TenantSpace.COMMAND)
            .add(mintedMillis / BUCKET_MILLIS)
            .add(commandId));
  }

  /**
   * A command that has been applied.
   *
   * @param stamp the 10-byte stamp of its commit
   * @param record its record
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once by the command that is answered again.
  public record AppliedCommand(byte[] stamp, byte[] record) {}
}
