package dev.bridle.host.rpc;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue that is full by number or by bytes. An element larger than the bound passes alone. Once
 * closed it takes nothing and gives what it has.
 */
final class ByteBoundedQueue<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Entry<T>> entries = new ArrayDeque<>();
  private final int maxEntries;
  private final long maxBytes;
  private long bytes;
  private boolean closed;

  ByteBoundedQueue(int maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  private record Entry<T>(T element, int size) {}

  /** Adds an element unless the queue is full or closed. */
  boolean offer(T element, int size) {
    lock.lock();
    try {
      return !closed && !full(size) && add(element, size);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for room; false once the time is over or the queue is closed. */
  boolean put(T element, int size, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!closed && full(size)) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return !closed && add(element, size);
    } finally {
      lock.unlock();
    }
  }

  private boolean full(int size) {
    return !entries.isEmpty() && (entries.size() >= maxEntries || bytes + size > maxBytes);
  }

  private boolean add(T element, int size) {
    entries.add(new Entry<>(element, size));
    bytes += size;
    changed.signalAll();
    return true;
  }

  /** Waits for an element. Empty once the queue is closed and has none left. */
  Optional<T> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (entries.isEmpty()) {
        if (closed) {
          return Optional.empty();
        }
        changed.await();
      }
      Entry<T> first = entries.remove();
      bytes -= first.size();
      changed.signalAll();
      return Optional.of(first.element());
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the queue is empty; false once the time is over. */
  boolean awaitEmpty(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!entries.isEmpty()) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }
}
