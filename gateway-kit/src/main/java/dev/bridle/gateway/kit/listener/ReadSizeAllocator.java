package dev.bridle.gateway.kit.listener;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Adapts the read size of each connection so that one read is processed within a fraction of a
 * millisecond, which shares an event loop fairly among its connections. Without it, a connection
 * that sends chunks or frames of one byte, which cost a thousand times as much as the same bytes in
 * one chunk, would delay all other connections of the loop.
 */
final class ReadSizeAllocator implements RecvByteBufAllocator {
  /** The minimum read size: small enough to be processed quickly, whatever the content. */
  static final int MIN_BYTES = 256;

  static final int FIRST_BYTES = 1 << 10;
  static final int MAX_BYTES = 64 << 10;

  private static final long SHORT_NANOS = 50_000;
  private static final long LONG_NANOS = 150_000;

  private final LongSupplier cpuNanos;

  /**
   * @param cpuNanos the CPU time of the calling thread, in nanoseconds, which excludes time spent
   *     waiting for a CPU
   */
  ReadSizeAllocator(LongSupplier cpuNanos) {
    this.cpuNanos = cpuNanos;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Handle(cpuNanos);
  }

  /** The read sizes of one connection. */
  private static final class Handle implements ExtendedHandle {
    private final LongSupplier cpuNanos;
    private int next = FIRST_BYTES;
    private int attempted;
    private int read;
    private long readAt;

    Handle(LongSupplier cpuNanos) {
      this.cpuNanos = cpuNanos;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      return allocator.ioBuffer(next);
    }

    @Override
    public int guess() {
      return next;
    }

    @Override
    public void reset(ChannelConfig config) {
      read = 0;
    }

    @Override
    public void incMessagesRead(int messages) {
      // One read per event loop iteration.
    }

    @Override
    public void lastBytesRead(int bytes) {
      read = bytes;
      readAt = cpuNanos.getAsLong();
    }

    @Override
    public int lastBytesRead() {
      return read;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      attempted = bytes;
    }

    @Override
    public int attemptedBytesRead() {
      return attempted;
    }

    @Override
    public boolean continueReading() {
      return false;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return false;
    }

    @Override
    public void readComplete() {
      long took = cpuNanos.getAsLong() - readAt;
      if (read > 0 && took > LONG_NANOS) {
        next = Math.max(MIN_BYTES, next / 2);
      } else if (read == next && took < SHORT_NANOS) {
        next = Math.min(MAX_BYTES, next * 2);
      }
    }
  }
}
