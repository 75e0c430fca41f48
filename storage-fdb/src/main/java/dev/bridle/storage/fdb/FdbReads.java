package dev.bridle.storage.fdb;

import com.apple.foundationdb.StreamingMode;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Performs the reads of a transaction, with conflicts or by snapshot. */
final class FdbReads implements ReadTransaction {
  /** Up to this many rows are requested at once; more are streamed in chunks. */
  private static final int EXACT_ROWS = 1_000;

  private final FdbTransaction transaction;
  private final com.apple.foundationdb.ReadTransaction reader;

  FdbReads(FdbTransaction transaction, com.apple.foundationdb.ReadTransaction reader) {
    this.transaction = transaction;
    this.reader = reader;
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    transaction.beforeRead();
    return Optional.ofNullable(transaction.await(reader.get(transaction.subspace().key(key))));
  }

  @Override
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    CompletableFuture<byte[]> answer;
    try {
      transaction.beforeRead();
      answer = reader.get(transaction.subspace().key(key));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    return answer.handle(
        (value, failure) -> {
          if (failure != null) {
            throw transaction.failure(failure);
          }
          return Optional.ofNullable(value);
        });
  }

  @Override
  public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    LimitCheck.rows(limit);
    KeyRange moved = transaction.subspace().range(range);
    transaction.beforeRead();
    if (Arrays.equals(moved.begin(), moved.end())) {
      return List.of();
    }
    StreamingMode mode = limit <= EXACT_ROWS ? StreamingMode.EXACT : StreamingMode.WANT_ALL;
    return transaction
        .await(reader.getRange(moved.begin(), moved.end(), limit, reverse, mode).asList())
        .stream()
        .map(transaction.subspace()::pair)
        .toList();
  }

  @Override
  public long readVersion() {
    transaction.beforeRead();
    return transaction.await(reader.getReadVersion());
  }
}
