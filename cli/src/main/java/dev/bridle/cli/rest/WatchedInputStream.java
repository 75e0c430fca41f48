package dev.bridle.cli.rest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A stream that fails once a read has waited for too long: a connection that a network has dropped
 * without a word looks like one on which nothing happens. The time in which nobody reads does not
 * count.
 */
final class WatchedInputStream extends FilterInputStream {
  private final long limitNanos;
  private final Object lock = new Object();
  private boolean reading;
  private long since;
  private boolean silent;
  private boolean closed;

  /**
   * Watches a stream, which another thread may close.
   *
   * @param limit for how long a read may wait
   */
  WatchedInputStream(InputStream stream, Duration limit) {
    super(stream);
    this.limitNanos = limit.toNanos();
    checkIn(limitNanos);
  }

  private void checkIn(long nanos) {
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::check);
  }

  private void check() {
    long left;
    synchronized (lock) {
      if (closed) {
        return;
      }
      left = reading ? limitNanos - (System.nanoTime() - since) : limitNanos;
      silent = left <= 0;
    }
    if (left > 0) {
      checkIn(left);
      return;
    }
    try {
      super.close();
    } catch (IOException e) {
      // The read fails because of the silence, which says more.
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int count = read(one, 0, 1);
    return count < 0 ? count : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    synchronized (lock) {
      reading = true;
      since = System.nanoTime();
    }
    try {
      int count = super.read(buffer, offset, length);
      if (count >= 0) {
        return count;
      }
    } catch (IOException e) {
      if (!isSilent()) {
        throw e;
      }
    } finally {
      synchronized (lock) {
        reading = false;
      }
    }
    if (isSilent()) {
      throw new IOException(
          "nothing was received for " + TimeUnit.NANOSECONDS.toSeconds(limitNanos) + " s");
    }
    return -1;
  }

  private boolean isSilent() {
    synchronized (lock) {
      return silent;
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (lock) {
      closed = true;
    }
    super.close();
  }
}
