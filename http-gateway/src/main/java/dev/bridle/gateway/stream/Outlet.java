package dev.bridle.gateway.stream;

import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.stream.StreamWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.call.Exchange;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of a stream to its reader. Knows what the connection has not taken yet, cuts off a
 * reader that takes nothing, and tells its filler of silence and of the end.
 *
 * @param <T> what is written
 */
public final class Outlet<T> {

  private static final Logger log = LoggerFactory.getLogger(Outlet.class);

  /** Who writes to an outlet. */
  public interface Filler {

    /** All that was written is taken, and nothing has been written for a heartbeat's interval. */
    void silent();

    /** The gateway stops. */
    void drain();

    /** Nothing can be written any more; with the failure where the reader did not get all. */
    void gone(Optional<Throwable> failure);
  }

  private final Exchange exchange;
  private final ServiceRequestContext ctx;
  private final StreamWriter<T> writer;
  private final Filler filler;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final AtomicInteger unread = new AtomicInteger();
  private volatile long lastReadNanos;
  private volatile long lastWriteNanos;
  private volatile Optional<ScheduledFuture<?>> watch = Optional.empty();

  /** An outlet of an exchange's answer; {@link #open} begins the watch over it. */
  public Outlet(
      Exchange exchange,
      StreamWriter<T> writer,
      Filler filler,
      StreamSettings settings,
      OpenStreams streams) {
    this.exchange = exchange;
    this.ctx = exchange.ctx();
    this.writer = writer;
    this.filler = filler;
    this.settings = settings;
    this.streams = streams;
  }

  /** Begins: from now on the answer takes as long as it takes. */
  public void open() {
    ctx.clearRequestTimeout();
    lastReadNanos = System.nanoTime();
    lastWriteNanos = lastReadNanos;
    streams.add(this);
    var unused = writer.whenComplete().whenComplete((done, failure) -> finish(failure));
    long interval = settings.checkInterval().toNanos();
    watch =
        Optional.of(
            ctx.eventLoop()
                .withoutContext()
                .scheduleAtFixedRate(this::check, interval, interval, TimeUnit.NANOSECONDS));
  }

  /** Writes a piece; {@code taken} runs once the connection has taken it. */
  public void write(T piece, Runnable taken) {
    long now = System.nanoTime();
    lastWriteNanos = now;
    if (unread.getAndIncrement() == 0) {
      lastReadNanos = now;
    }
    if (writer.tryWrite(piece)) {
      var unused = writer.whenConsumed().thenRun(() -> read(taken));
    }
  }

  /** Writes a piece. */
  public void write(T piece) {
    write(piece, () -> {});
  }

  void drain() {
    filler.drain();
  }

  private void read(Runnable taken) {
    lastReadNanos = System.nanoTime();
    unread.decrementAndGet();
    taken.run();
  }

  private void check() {
    long now = System.nanoTime();
    if (unread.get() > 0) {
      if (now - lastReadNanos > settings.slowReaderTimeout().toNanos()) {
        cut();
      }
    } else if (now - lastWriteNanos >= settings.heartbeatInterval().toNanos()) {
      filler.silent();
    }
  }

  private void cut() {
    streams.countSlowReader();
    log.info(
        "Request {}: closed {}, whose reader has read nothing for {} s",
        exchange.requestId(),
        exchange.route().path().text(),
        settings.slowReaderTimeout().toSeconds());
    writer.abort(ClosedStreamException.get());
    if (!ctx.sessionProtocol().isMultiplex()) {
      // An HTTP/1 connection would wait for what it has already taken, which nobody reads.
      var unused = ctx.log().partial().channel().close();
    }
  }

  private void finish(Throwable failure) {
    watch.ifPresent(task -> task.cancel(false));
    streams.remove(this);
    filler.gone(Optional.ofNullable(failure));
  }
}
