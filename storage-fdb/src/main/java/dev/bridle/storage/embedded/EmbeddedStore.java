package dev.bridle.storage.embedded;

import dev.bridle.storage.BackedUpStore;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoredBackup;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.rocksdb.RocksDBException;

/**
 * A store in one directory of this machine. Commits are durable, and visible to readers, once they
 * return; the loss of acknowledged commits is detected at opening.
 */
public final class EmbeddedStore implements BackedUpStore {
  private final DirectoryLock lock;
  private final Database database;
  private final Watches watches;
  private final CommitPipeline pipeline;
  private final Committer committer;
  private final EngineEnvironment environment;
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedStore(
      OpenedDirectory opened, EmbeddedOptions options, EngineEnvironment environment) {
    this.lock = opened.lock();
    this.database = opened.database();
    this.environment = environment;
    this.watches = Watches.onOwnThread(options.maxWatches());
    this.pipeline =
        new CommitPipeline(
            new DirectoryBacking(
                database,
                opened.mark(),
                new DiskSpace(opened.directory(), options.minFreeBytes(), environment),
                environment.beforeSync()),
            watches,
            environment.nanoTime(),
            new ConflictWindow(options.conflictWindowBytes(), opened.version()),
            database.publishFirst(opened.version()));
    this.committer = new Committer(pipeline, database.failure(), options);
  }

  /**
   * Opens the store in {@code directory}, which is created if missing.
   *
   * @throws OpenRefusedException when the directory is in use, damaged, or of another format
   */
  public static EmbeddedStore open(Path directory, EmbeddedOptions options) {
    return open(directory, options, EngineEnvironment.REAL);
  }

  static EmbeddedStore open(
      Path directory, EmbeddedOptions options, EngineEnvironment environment) {
    EmbeddedStore store =
        new EmbeddedStore(OpenedDirectory.open(directory, options), options, environment);
    store.committer.start();
    return store;
  }

  /**
   * Completes when the disk has failed: a write or sync failed, or a file is corrupt. The store
   * then rejects all calls with {@code STORE_FAILED}, and must be closed; the cause says what
   * failed. Dependent stages run on a thread that is not the store's.
   */
  @Override
  public CompletableFuture<StoreException> failure() {
    return database.failure().future();
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    committer.checkOpen();
    return new EmbeddedTransaction(
        committer,
        watches,
        environment.nanoTime(),
        System.nanoTime() + RetryLoop.nanos(options.timeout()));
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public StoredBackup backUp(Path folder, int keep) {
    committer.checkOpen();
    PublishedVersion current = pipeline.retainCurrent();
    long acknowledged = current.version();
    current.release();
    try (BackupFolder backups = BackupFolder.open(folder)) {
      return database.callWithoutFailing(rocks -> backups.add(rocks, acknowledged, keep));
    } catch (RocksDBException e) {
      throw new BackupFailedException(
          "The backup into "
              + folder
              + " failed: "
              + e.getMessage()
              + "; earlier backups are unchanged.",
          e);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    committer.close();
    watches.close();
    database.close();
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
