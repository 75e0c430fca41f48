package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * Which commands have been applied:
 *
 * <pre>
 * tenant / IDEMPOTENCY / scope hash         → record with commit stamp (client's keys)
 * tenant / COMMAND / time bucket, id        → commit stamp (all others)
 * </pre>
 *
 * <p>Both are read with a conflict, so that a late first attempt and its retry can't both be
 * applied.
 */
public final class IdempotencyStore {
  /** How long a minted command id may still be retried: buckets older than two of these can go. */
  public static final long BUCKET_MILLIS = 10 * 60 * 1000L;

  private final KeyLayout layout;
  private final LargeValue values;

  public IdempotencyStore(KeyLayout layout) {
    this.layout = layout;
    this.values = new LargeValue(layout);
  }

  /** Returns what a command left under a client's key. */
  public Optional<AppliedCommand> find(ReadTransaction tr, String tenant, String scope) {
    Tuple key = layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
    return tr.get(layout.key(key))
        .map(
            stamp ->
                new AppliedCommand(
                    stamp,
                    values
                        .get(tr, layout.key(key.add(0)))
                        .orElseThrow(IllegalStateException::new)));
  }

  /** Remembers a command under a client's key. */
  public void record(Transaction tr, String tenant, String scope, byte[] record) {
    Tuple key = layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
    tr.setVersionstampedValue(layout.key(key), Stamps.value(new byte[Stamps.BYTES], 0));
    values.set(tr, layout.key(key.add(0)), record, 0);
  }

  /** Forgets a command under a client's key. */
  public void forget(Transaction tr, String tenant, String scope) {
    Tuple key = layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
    tr.clear(layout.key(key));
    tr.clear(layout.children(key));
  }

  /** Returns the commit stamp of a command without a client's key, where it has been applied. */
  public Optional<byte[]> findMinted(
      ReadTransaction tr, String tenant, long mintedMillis, String commandId) {
    return tr.get(minted(tenant, mintedMillis, commandId));
  }

  /** Remembers a command without a client's key. */
  public void recordMinted(Transaction tr, String tenant, long mintedMillis, String commandId) {
    tr.setVersionstampedValue(
        minted(tenant, mintedMillis, commandId), Stamps.value(new byte[Stamps.BYTES], 0));
  }

  /**
   * Forgets the tenant's commands that were minted so long ago that nobody retries them any more.
   */
  public void forgetMinted(Transaction tr, String tenant, long nowMillis) {
    Tuple parent = layout.tenant(tenant, TenantSpace.COMMAND);
    long oldest = nowMillis / BUCKET_MILLIS - 1;
    tr.clear(new KeyRange(layout.children(parent).begin(), layout.key(parent.add(oldest))));
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
   * @param record what was remembered of it
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once by the command that is answered again.
  public record AppliedCommand(byte[] stamp, byte[] record) {}
}
