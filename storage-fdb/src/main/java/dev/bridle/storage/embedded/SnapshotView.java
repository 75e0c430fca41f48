package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A transaction's reads without conflicts. */
final class SnapshotView implements ReadTransaction {
  private final EmbeddedTransaction transaction;

  SnapshotView(EmbeddedTransaction transaction) {
    this.transaction = transaction;
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return transaction.reads().get(key, false);
  }

  @Override
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    return EmbeddedTransaction.completed(() -> get(key));
  }

  @Override
  public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    return transaction.reads().getRange(range, limit, reverse, false);
  }

  @Override
  public long readVersion() {
    return transaction.readVersion();
  }
}
