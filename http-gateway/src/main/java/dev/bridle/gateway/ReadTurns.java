package dev.bridle.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Shares an event loop among its connections by time: each turn of a connection is one read, which
 * is as long as what it brings is handled within a fraction of a millisecond. Chunks or frames of
 * one byte cost a thousand times what the same bytes cost in one piece, and all other connections
 * of the loop wait meanwhile.
 */
final class ReadTurns implements RecvByteBufAllocator {
  /** The shortest read: small enough to be handled in no time whatever it brings. */
  static final int MIN_BYTES = 256;

  static final int FIRST_BYTES = 1 << 10;
  static final int MAX_BYTES = 64 << 10;

  private static final long SHORT_NANOS = 50_000;
  private static final long LONG_NANOS = 150_000;

  private final LongSupplier cpuNanos;

  /**
   * @param cpuNanos the processor time of the calling thread, in nanoseconds: a thread that waits
   *     for a processor has not taken long itself
   */
  ReadTurns(LongSupplier cpuNanos) {
    this.cpuNanos = cpuNanos;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Turns(cpuNanos);
  }

  /** The turns of one connection. */
  private static final class Turns implements ExtendedHandle {
    private final LongSupplier cpuNanos;
    private int next = FIRST_BYTES;
    private int attempted;
    private int read;
    private long readAt;

    Turns(LongSupplier cpuNanos) {
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
      // A turn is one read.
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
