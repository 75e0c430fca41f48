package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the single writer thread. Requests that queue during a sync become the next batch, and
 * complete once the {@link CommitPipeline} has processed it (group commit).
 */
final class Committer implements CommitPath {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final int MAX_TRANSACTIONS = 4096;

  private final CommitPipeline pipeline;
  private final FirstFailure failure;
  private final long maxBatchBytes;
  private final BlockingQueue<CommitRequest> queue;
  private final Thread thread = new Thread(this::run, "bridle-committer");
  private volatile boolean closing;
  private volatile boolean ended;

  Committer(CommitPipeline pipeline, FirstFailure failure, EmbeddedOptions options) {
    this.pipeline = pipeline;
    this.failure = failure;
    this.maxBatchBytes = options.maxBatchBytes();
    this.queue = new ArrayBlockingQueue<>(options.maxQueuedCommits());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Throws unless the store accepts commits. */
  void checkOpen() {
    if (closing) {
      throw Refusal.CLOSED.toException();
    }
    Optional<Refusal> failed = failure.refusal();
    if (failed.isPresent()) {
      throw failed.get().toException();
    }
  }

  @Override
  public PublishedVersion retainCurrent() {
    return pipeline.retainCurrent();
  }

  @Override
  public byte[] commit(CommitRequest request, long deadlineNanos) {
    submit(request, deadlineNanos);
    return request.await(deadlineNanos);
  }

  /** Queues a request, waiting for room until the deadline. */
  private void submit(CommitRequest request, long deadlineNanos) {
    checkOpen();
    if (!queue.offer(request)) {
      awaitRoom(request, deadlineNanos);
    }
    if (ended) {
      refuseQueued();
    }
  }

  private void awaitRoom(CommitRequest request, long deadlineNanos) {
    try {
      long left = deadlineNanos - System.nanoTime();
      if (!queue.offer(request, left, TimeUnit.NANOSECONDS)) {
        throw new StoreException(Code.PROCESS_BEHIND, "Too many commits are waiting.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(Code.CANCELLED, "The thread was interrupted before the commit.", e);
    }
  }

  /** Rejects new requests, commits the queued ones, and returns when that is done. */
  void close() {
    closing = true;
    boolean interrupted = false;
    boolean woken = false;
    while (thread.isAlive()) {
      try {
        if (!woken) {
          queue.put(CommitRequest.wakeUp());
          woken = true;
        }
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<CommitRequest> batch = new ArrayList<>();
    while (takeBatch(batch)) {
      try {
        commit(batch);
      } finally {
        CommitRequest.finishAll(batch);
        batch.clear();
      }
    }
    ended = true;
    refuseQueued();
  }

  @SuppressWarnings("CatchingUnchecked") // After any failure the outcome of the batch is unknown.
  private void commit(List<CommitRequest> batch) {
    try {
      if (failure.refusal().isEmpty()) {
        pipeline.process(batch);
      }
    } catch (RocksDBException | RuntimeException | Error e) {
      LOG.error(
          "A write failed ({}); the store takes no more commits until it is opened again",
          e.toString());
      LOG.debug("The write that failed", e);
      failure.record(Refusal.writeFailed(e));
    }
    failure.refusal().ifPresent(refusal -> batch.forEach(request -> request.refuse(refusal)));
  }

  /** Waits for the next batch; false when the store closes and nothing is left. */
  private boolean takeBatch(List<CommitRequest> batch) {
    while (batch.isEmpty()) {
      CommitRequest next = closing ? queue.poll() : awaitFirst();
      if (next == null) {
        return false;
      }
      long bytes = 0;
      while (next != null) {
        if (next.take()) {
          batch.add(next);
          bytes += next.bytes();
        }
        next = batch.size() < MAX_TRANSACTIONS && bytes < maxBatchBytes ? queue.poll() : null;
      }
    }
    return true;
  }

  private CommitRequest awaitFirst() {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        LOG.warn("The committer was interrupted; the interrupt is ignored", e);
      }
    }
  }

  private void refuseQueued() {
    for (CommitRequest late = queue.poll(); late != null; late = queue.poll()) {
      if (late.take()) {
        late.refuse(Refusal.CLOSED);
        CommitRequest.finishAll(List.of(late));
      }
    }
  }
}
