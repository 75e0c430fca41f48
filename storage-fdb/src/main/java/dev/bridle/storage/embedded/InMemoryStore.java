package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.List;
import java.util.function.Function;
import org.rocksdb.RocksDBException;

/**
 * A store in the memory of this process: the transactions, conflicts, stamps, watches and limits of
 * {@link EmbeddedStore}, without durability. For tests and experiments. Commits run on the calling
 * thread.
 */
public final class InMemoryStore implements KeyValueStore {
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);
  private final Watches watches;
  private final MemoryCommits commits;

  private InMemoryStore(StoreImage image, Watches watches) {
    this.watches = watches;
    this.commits =
        new MemoryCommits(
            new CommitPipeline(
                new MemoryBacking(image.version().pairs()),
                watches,
                System::nanoTime,
                new ConflictWindow(
                    EmbeddedOptions.DEFAULT.conflictWindowBytes(), image.version().version()),
                image.version()));
  }

  /** Opens an empty store. */
  public static InMemoryStore open() {
    return open(StoreImage.EMPTY);
  }

  /** Opens a store with the content of an image, which is not modified. */
  public static InMemoryStore open(StoreImage image) {
    return new InMemoryStore(image, Watches.onOwnThread(EmbeddedOptions.DEFAULT.maxWatches()));
  }

  /**
   * Opens a store whose watches complete on the thread whose commit fired them, within the commit:
   * for single-threaded tests. Dependent stages of such a future must not block.
   */
  public static InMemoryStore openOnOneThread(StoreImage image) {
    return new InMemoryStore(
        image, Watches.on(Runnable::run, EmbeddedOptions.DEFAULT.maxWatches()));
  }

  /** Returns the committed content; also works on a closed store. */
  public StoreImage image() {
    return new StoreImage(commits.current());
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    commits.checkOpen();
    return new EmbeddedTransaction(
        commits, watches, System::nanoTime, System.nanoTime() + RetryLoop.nanos(options.timeout()));
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public void close() {
    if (commits.close()) {
      watches.close();
    }
  }

  /** Commits each request as a batch of its own. */
  private static final class MemoryCommits implements CommitPath {
    private final CommitPipeline pipeline;
    private volatile boolean closed;

    MemoryCommits(CommitPipeline pipeline) {
      this.pipeline = pipeline;
    }

    @Override
    public PublishedVersion retainCurrent() {
      checkOpen();
      return pipeline.retainCurrent();
    }

    @Override
    public synchronized byte[] commit(CommitRequest request, long deadlineNanos) {
      checkOpen();
      try {
        pipeline.process(List.of(request));
      } catch (RocksDBException e) {
        throw new IllegalStateException("memory has no disk that could fail", e);
      }
      return request.outcome();
    }

    MemoryVersion current() {
      return (MemoryVersion) pipeline.retainCurrent();
    }

    void checkOpen() {
      if (closed) {
        throw Refusal.CLOSED.toException();
      }
    }

    synchronized boolean close() {
      boolean first = !closed;
      closed = true;
      return first;
    }
  }
}
