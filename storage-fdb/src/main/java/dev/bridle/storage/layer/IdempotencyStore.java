package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * Stores which commands have been applied:
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
  /** How long an internal command id may be retried; buckets older than twice this are deleted. */
  public static final long BUCKET_MILLIS = 10 * 60 * 1000L;

  private final KeyLayout layout;
  private final LargeValue values;

  public IdempotencyStore(KeyLayout layout) {
    this.layout = layout;
    this.values = new LargeValue(layout);
  }

  /** Returns the command that was applied under a client's key. */
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

  /** Records a command under a client's key. */
  public void record(Transaction tr, String tenant, String scope, byte[] record) {
    Tuple key = layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
    tr.setVersionstampedValue(layout.key(key), Stamps.value(new byte[Stamps.BYTES], 0));
    values.set(tr, layout.key(key.add(0)), record, 0);
  }

  /** Deletes the record of a command under a client's key. */
  public void forget(Transaction tr, String tenant, String scope) {
    Tuple key = layout.tenant(tenant, TenantSpace.IDEMPOTENCY).add(scope);
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

  /** Deletes the tenant's records of commands that are too old to be retried. */
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
   * @param record its record
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once by the command that is answered again.
  public record AppliedCommand(byte[] stamp, byte[] record) {}
}
