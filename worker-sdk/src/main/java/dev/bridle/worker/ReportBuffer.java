package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.worker.v1.StepReport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of one task that the handler need not wait for. They wait until the next call about
 * the task carries them, until the delay has passed, or until the buffer is full, and are applied
 * in their order.
 *
 * <p>A report leaves the buffer once the core has applied or rejected it, and stays where neither
 * is known. A rejected one leaves a refusal, which the next call of the handler throws; the reports
 * after it are sent all the same. Thread-safe.
 */
final class ReportBuffer {
  /** The maximum number of waiting reports. */
  static final int MAX_REPORTS = 64;

  /** The size in bytes from which waiting reports are sent at once. */
  static final int MAX_BYTES = 256 << 10;

  /** What happens to a call whose earlier reports are rejected. */
  enum OnRefusal {
    /** It is not made, and throws the refusal. */
    THROW,
    /** It is made, and a later call throws the refusal. */
    KEEP,
    /** It is made, and the refusal is logged; so it is if the reports can't be sent. */
    LOG
  }

  private static final Logger log = LoggerFactory.getLogger(ReportBuffer.class);

  private final LeaseHold hold;
  private final Consumer<List<StepReport>> sender;
  private final ReportTimer timer;
  // Held by each call that carries reports: one at a time, or they could be applied out of order.
  private final ReentrantLock sending = new ReentrantLock();
  private volatile int capacity;
  // The members below are guarded by this object, which no call is made under.
  private final Deque<StepReport> waiting = new ArrayDeque<>();
  private Optional<Future<?>> flush = Optional.empty();
  private boolean flushing;
  private Optional<CallRefused> refusal = Optional.empty();
  private long bytes;
  private boolean closed;

  /**
   * Creates an empty buffer.
   *
   * @param sender sends reports in a call of their own, as {@link ReportCalls#send} does
   * @param accepted how many reports a call may carry; 0: the core does not support this
   */
  ReportBuffer(LeaseHold hold, Consumer<List<StepReport>> sender, ReportTimer timer, int accepted) {
    this.hold = hold;
    this.sender = sender;
    this.timer = timer;
    acceptedByCore(accepted);
  }

  /** Sets how many reports a call may carry under the lease that is held from now on. */
  void acceptedByCore(int accepted) {
    capacity = timer.delay().isZero() ? 0 : Math.max(0, Math.min(MAX_REPORTS, accepted));
  }

  /**
   * Accepts a report, which is not durable yet. Returns only once it is durable if it fills the
   * buffer, or if reports do not wait. A buffer that is already full is sent before.
   *
   * @throws CallRefused if an earlier report was rejected, or this one where it is sent at once; if
   *     a full buffer can't be sent, in which case this report is not accepted
   */
  void add(StepReport report) {
    hold.throwIfSilenced();
    throwIfRefused();
    while (!enqueue(report)) {
      flush();
    }
    if (isFull()) {
      flush();
    }
  }

  /** Adds a report to those that wait; returns false if there is no room for it. */
  private synchronized boolean enqueue(StepReport report) {
    if (closed) {
      throw new TaskCancelled(TaskCancelled.Reason.LEASE_LOST);
    }
    if (isFull()) {
      return false;
    }
    waiting.add(report);
    bytes += report.getSerializedSize();
    if (!isFull()) {
      schedule();
    }
    return true;
  }

  private synchronized boolean isFull() {
    return waiting.size() >= Math.max(1, capacity) || bytes >= MAX_BYTES;
  }

  /** Returns once all accepted reports are durable. */
  void flush() {
    lock();
    try {
      sendAll();
      throwIfRefused();
    } finally {
      sending.unlock();
    }
  }

  /**
   * Makes a call, which carries the waiting reports.
   *
   * @param onRefusal what happens if one of them is rejected
   * @param call makes the call with the reports that it carries; called again without any if that
   *     was rejected
   * @throws CallRefused if the call was rejected, or as {@code onRefusal} says
   */
  <T> T carry(OnRefusal onRefusal, Function<List<StepReport>, T> call) {
    lock();
    try {
      settle(onRefusal);
      return carried(onRefusal, call);
    } catch (CallRefused e) {
      if (onRefusal != OnRefusal.LOG || e.stepKey().isEmpty()) {
        throw e;
      }
      log.warn("Task {}: {}", hold.taskId(), e.getMessage());
      return call.apply(List.of());
    } finally {
      sending.unlock();
    }
  }

  private <T> T carried(OnRefusal onRefusal, Function<List<StepReport>, T> call) {
    if (size() > capacity) {
      sendAll();
      settle(onRefusal);
    }
    // None for a core that does not support this: it would ignore them.
    List<StepReport> batch = batch(capacity);
    try {
      T result = call.apply(batch);
      sent(batch.size());
      return result;
    } catch (CallRefused e) {
      if (batch.isEmpty() || e.isTransient()) {
        throw e;
      }
    }
    // Either the call itself was rejected, or a report that it carried.
    sendOneByOne(batch);
    settle(onRefusal);
    return call.apply(List.of());
  }

  private void settle(OnRefusal onRefusal) {
    switch (onRefusal) {
      case THROW -> throwIfRefused();
      case KEEP -> {}
      case LOG ->
          takeRefusal().ifPresent(e -> log.warn("Task {}: {}", hold.taskId(), e.getMessage()));
    }
  }

  /** Throws the refusal of an earlier report, once. */
  void throwIfRefused() {
    Optional<CallRefused> refused = takeRefusal();
    if (refused.isPresent()) {
      throw refused.get();
    }
  }

  /** Accepts no more reports. The handler has ended; its last call carries what waits. */
  synchronized void close() {
    closed = true;
    cancelFlush();
  }

  /** Returns the number of reports that wait. */
  synchronized int size() {
    return waiting.size();
  }

  private void flushInTime() {
    synchronized (this) {
      flush = Optional.empty();
      if (flushing) {
        return;
      }
      flushing = true;
    }
    boolean again = false;
    try {
      again = flushWhenRunning();
    } finally {
      synchronized (this) {
        flushing = false;
        if (again && !waiting.isEmpty()) {
          schedule();
        }
      }
    }
  }

  /** Sends waiting reports if the handler runs; returns whether to schedule those that remain. */
  private boolean flushWhenRunning() {
    lock();
    hold.beginFlush();
    try {
      if (hold.mayFlush()) {
        sendBatch();
      }
      return true;
    } catch (TaskCancelled | TaskSuspended e) {
      log.debug("Task {}: its handler must stop; reports wait for its end", hold.taskId());
      return false;
    } catch (CallRefused e) {
      if (!e.isTransient()) {
        refuse(e);
      }
      return e.isTransient();
    } finally {
      hold.endFlush();
      sending.unlock();
    }
  }

  private void sendAll() {
    int left = size();
    while (left > 0) {
      left -= sendBatch();
    }
  }

  /** Sends the first waiting reports together, and returns how many these are. */
  private int sendBatch() {
    List<StepReport> batch = batch(Math.max(1, capacity));
    if (!batch.isEmpty()) {
      try {
        sender.accept(batch);
        sent(batch.size());
      } catch (CallRefused e) {
        if (e.isTransient()) {
          throw e;
        }
        sendOneByOne(batch);
      }
    }
    return batch.size();
  }

  /** Sends the first waiting reports by themselves, to find which of them the core rejects. */
  private void sendOneByOne(List<StepReport> batch) {
    for (StepReport report : batch) {
      try {
        sender.accept(List.of(report));
      } catch (CallRefused e) {
        CallRefused refused = e.ofReport(report.getStepKey());
        if (!refused.rejectsReport()) {
          throw refused;
        }
        refuse(refused);
      }
      sent(1);
    }
  }

  private synchronized List<StepReport> batch(int max) {
    return waiting.stream().limit(max).toList();
  }

  private synchronized void sent(int count) {
    for (int i = 0; i < count; i++) {
      bytes -= waiting.remove().getSerializedSize();
    }
    if (waiting.isEmpty()) {
      cancelFlush();
    }
  }

  private void schedule() {
    // A flush that waits for another call sends these too; a second one would only block a thread.
    if (flush.isEmpty() && !flushing && !closed) {
      flush = timer.schedule(this::flushInTime);
    }
  }

  private void cancelFlush() {
    flush.ifPresent(scheduled -> scheduled.cancel(false));
    flush = Optional.empty();
  }

  private synchronized void refuse(CallRefused refused) {
    if (refusal.isEmpty()) {
      refusal = Optional.of(refused);
    } else {
      refusal.get().addSuppressed(refused);
    }
  }

  private synchronized Optional<CallRefused> takeRefusal() {
    Optional<CallRefused> taken = refusal;
    refusal = Optional.empty();
    return taken;
  }

  private void lock() {
    try {
      sending.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hold.throwIfSilenced();
      throw new CallRefused(
          ErrorCode.ERROR_CODE_CLIENT_CLOSED_REQUEST, "interrupted before the call", "", e);
    }
  }
}
