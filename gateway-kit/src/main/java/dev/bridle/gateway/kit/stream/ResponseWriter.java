package dev.bridle.gateway.kit.stream;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.stream.StreamWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.call.Call;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a response stream to a client. Tracks unread data, closes the stream of a client that
 * reads nothing, and notifies its source of idle intervals and of the end.
 *
 * @param <T> the type of the written items
 */
public final class ResponseWriter<T> {

  // Keeps the logger name of earlier releases.
  private static final Logger log = LoggerFactory.getLogger(ResponseWriter.class);

  /** The source of a stream's items, which receives its callbacks. */
  public interface Source {

    /** Everything written has been read, and nothing was written for a heartbeat interval. */
    void idle();

    /** The gateway is stopping. */
    void drain();

    /** The stream is closed; with the failure if the client did not receive everything. */
    void closed(Optional<Throwable> failure);
  }

  private final Call call;
  private final ServiceRequestContext ctx;
  private final StreamWriter<T> writer;
  private final Source source;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final AtomicInteger unread = new AtomicInteger();
  private volatile long lastReadNanos;
  private volatile long lastWriteNanos;
  private volatile Optional<ScheduledFuture<?>> watch = Optional.empty();
  private volatile Optional<UnsentBytes.Share> share = Optional.empty();

  /** Whether nothing more is written, though the connection may not have sent the last of it. */
  private volatile boolean ended;

  private volatile boolean cut;

  /** Creates a writer of an exchange's response; {@link #open} starts its monitoring. */
  public ResponseWriter(
      Call call,
      StreamWriter<T> writer,
      Source source,
      StreamSettings settings,
      OpenStreams streams) {
    this.call = call;
    this.ctx = call.ctx();
    this.writer = writer;
    this.source = source;
    this.settings = settings;
    this.streams = streams;
  }

  /** Counts what {@link #write(Object, int, Runnable)} writes; call it before {@link #open}. */
  public void bound(UnsentBytes unsent, String tenant) {
    Runnable tooSlow =
        () ->
            ctx.eventLoop()
                .withoutContext()
                .execute(() -> cut("it is the slowest reader, and others have no room left"));
    share = Optional.of(unsent.of(tenant, tooSlow));
  }

  /** Starts monitoring and disables the request timeout. */
  public void open() {
    ctx.clearRequestTimeout();
    lastReadNanos = System.nanoTime();
    lastWriteNanos = lastReadNanos;
    streams.add(this);
    long interval = settings.checkInterval().toNanos();
    watch =
        Optional.of(
            ctx.eventLoop()
                .withoutContext()
                .scheduleAtFixedRate(this::check, interval, interval, TimeUnit.NANOSECONDS));
    var unused = writer.whenComplete().whenComplete((done, failure) -> finish(failure));
  }

  /** Writes an item; {@code taken} runs when the connection has accepted it. */
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

  /**
   * Writes an item that is counted until the connection has accepted it, when {@code taken} runs.
   *
   * @param bytes its size
   * @return false, if there is no room, and nothing is written
   */
  public boolean write(T piece, int bytes, Runnable taken) {
    Optional<UnsentBytes.Share> counted = share;
    if (counted.isEmpty()) {
      write(piece, taken);
      return true;
    }
    if (!counted.get().hold(bytes)) {
      return false;
    }
    write(
        piece,
        () -> {
          counted.get().release(bytes);
          taken.run();
        });
    return true;
  }

  /** Counts bytes that are kept for items to come. Returns false without room. */
  public boolean keep(long bytes) {
    return share.isEmpty() || share.get().hold(bytes);
  }

  /** Counts bytes no more that were {@linkplain #keep kept}. */
  public void unkeep(long bytes) {
    share.ifPresent(counted -> counted.release(bytes));
  }

  /** Writes an item. */
  public void write(T piece) {
    write(piece, () -> {});
  }

  void drain() {
    source.drain();
  }

  private void read(Runnable taken) {
    lastReadNanos = System.nanoTime();
    unread.decrementAndGet();
    taken.run();
  }

  private void check() {
    long now = System.nanoTime();
    if (unread.get() > 0 || ended) {
      if (!cut && now - lastReadNanos > settings.slowReaderTimeout().toNanos()) {
        cut("the client has read nothing for " + settings.slowReaderTimeout().toSeconds() + " s");
      }
    } else if (now - lastWriteNanos >= settings.heartbeatInterval().toNanos()) {
      source.idle();
    }
  }

  private void cut(String why) {
    if (ctx.log().isAvailable(RequestLogProperty.RESPONSE_END_TIME)) {
      return; // All was sent meanwhile, and the connection may have another exchange.
    }
    cut = true;
    streams.countSlowReader();
    log.info("Request {}: closed {}: {}", call.requestId(), call.target().label(), why);
    writer.abort(ClosedStreamException.get());
    if (ended) {
      stopWatching();
      ctx.cancel();
    }
    if (!ctx.sessionProtocol().isMultiplex()) {
      // An HTTP/1 connection would otherwise wait to flush data that nobody reads.
      var unused = ctx.log().partial().channel().close();
    }
  }

  private void finish(Throwable failure) {
    if (failure != null && ctx.sessionProtocol().isMultiplex()) {
      gone(); // A stream that is reset drops what it has not sent.
    } else {
      // The last item may wait in the connection for a client that does not read.
      lastReadNanos = System.nanoTime();
      ended = true;
      var unused =
          ctx.log().whenAvailable(RequestLogProperty.RESPONSE_END_TIME).thenRun(this::gone);
    }
    streams.remove(this);
    source.closed(Optional.ofNullable(failure));
  }

  /** The connection has nothing of the response any more. */
  private void gone() {
    stopWatching();
    share.ifPresent(UnsentBytes.Share::close);
  }

  private void stopWatching() {
    watch.ifPresent(task -> task.cancel(false));
  }
}
