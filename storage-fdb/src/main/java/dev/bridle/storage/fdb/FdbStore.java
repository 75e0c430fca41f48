package dev.bridle.storage.fdb;

import com.apple.foundationdb.Database;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * A store on a FoundationDB cluster, or in one prefix of its keys. Many processes may use it
 * concurrently. Only opening it loads FoundationDB's native client library.
 */
public final class FdbStore implements KeyValueStore {
  /**
   * The longest pause between two attempts that {@code onError} takes. The client's own second
   * would let whoever meets conflicts starve beside newcomers.
   */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final Database database;
  private final Subspace subspace;
  private final FdbWatches watches = new FdbWatches();
  private final RetryLoop retryLoop = new RetryLoop(this::begin, this::afterError);

  /** Commits hold the read lock; closing takes the write lock, and so waits for them. */
  private final ReadWriteLock closing = new ReentrantReadWriteLock();

  private final Runnable onClosed;
  private volatile boolean closed;

  /**
   * @param onClosed runs once the database is closed
   */
  FdbStore(Database database, FdbOptions options, Runnable onClosed) {
    this.database = database;
    this.onClosed = onClosed;
    this.subspace = new Subspace(options.prefix());
    database.options().setTransactionSizeLimit(StoreLimits.MAX_TRANSACTION_BYTES);
    database.options().setTransactionMaxRetryDelay(LONGEST_PAUSE.toMillis());
    // Each transaction sets its own timeout; this is the fallback.
    database.options().setTransactionTimeout(TransactionOptions.DEFAULT.timeout().toMillis());
    database.options().setMaxWatches(options.maxWatches());
  }

  /**
   * Opens the store and contacts the cluster once, so that a wrong cluster file fails early.
   *
   * @throws FdbUnavailableException when the client library, the cluster file or the cluster can't
   *     be used; its message says which, in one line
   */
  public static FdbStore open(FdbOptions options) {
    if (!Files.isReadable(options.clusterFile())) {
      throw new FdbUnavailableException(
          "The FoundationDB cluster file "
              + options.clusterFile()
              + " does not exist or can't be read.");
    }
    FdbStore store =
        new FdbStore(FdbNetwork.open(options.clusterFile()), options, FdbNetwork::released);
    try (Transaction tr = store.begin(new TransactionOptions(options.connectTimeout(), 1))) {
      tr.readVersion();
      return store;
    } catch (StoreException e) {
      store.close();
      throw new FdbUnavailableException(
          "No FoundationDB cluster answered within "
              + options.connectTimeout().toMillis()
              + " ms at "
              + Coordinators.of(options.clusterFile())
              + " (cluster file "
              + options.clusterFile()
              + "). "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    closing.readLock().lock();
    try {
      checkOpen();
      com.apple.foundationdb.Transaction opened = database.createTransaction(FdbNetwork.executor());
      opened.options().setTimeout(millis(options.timeout()));
      opened.options().setRetryLimit(Math.max(options.maxAttempts() - 1L, 0));
      return new FdbTransaction(this, opened);
    } finally {
      closing.readLock().unlock();
    }
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  /** Leaves the backoff to the client, which knows why the cluster rejected the attempt. */
  private Transaction afterError(
      Transaction failed, StoreException failure, int attempt, TransactionOptions left) {
    checkOpen();
    return ((FdbTransaction) failed).afterError(failure);
  }

  /** Rounds up, never to 0, which would disable the timeout. */
  private static long millis(Duration timeout) {
    long millis = RetryLoop.nanos(timeout) / 1_000_000;
    return Math.min(millis + 1, Integer.MAX_VALUE);
  }

  Subspace subspace() {
    return subspace;
  }

  FdbWatches watches() {
    return watches;
  }

  ReadWriteLock closing() {
    return closing;
  }

  void checkOpen() {
    if (closed) {
      throw new StoreException(Code.STORE_CLOSED, "The store is closed.");
    }
  }

  @Override
  public void close() {
    closing.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      closing.writeLock().unlock();
    }
    watches.close();
    database.close();
    onClosed.run();
  }
}
