package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.call.CoreCalls;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.error.CoreFailures;
import dev.bridle.gateway.error.ErrorAnswers;
import dev.bridle.gateway.error.ProtocolError;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the messages of one response stream of the core to one HTTP response. At most {@link
 * #WINDOW} messages are under way: the next is asked for once the connection has taken one. An
 * error before the first message is an ordinary error answer.
 */
final class ResponsePump extends ClientCall.Listener<Message> {

  private static final int WINDOW = 16;
  private static final Logger log = LoggerFactory.getLogger(ResponsePump.class);

  private final Exchange exchange;
  private final ServiceRequestContext ctx;
  private final ClientCall<Message, Message> call;
  private final StreamContent content;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final HttpResponseWriter writer = HttpResponse.streaming();
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private final AtomicInteger unread = new AtomicInteger();
  private volatile long lastReadNanos;
  private volatile long lastWriteNanos;
  private volatile Optional<ScheduledFuture<?>> watch = Optional.empty();
  private boolean begun;
  private boolean ended;

  ResponsePump(
      Exchange exchange,
      CoreCalls core,
      StreamContent content,
      StreamSettings settings,
      OpenStreams streams) {
    this.exchange = exchange;
    this.ctx = exchange.ctx();
    this.call = core.stream(exchange.route().method());
    this.content = content;
    this.settings = settings;
    this.streams = streams;
  }

  HttpResponse start(Message request) {
    HttpResponse response = HttpResponse.of(answer);
    var unused =
        response
            .whenComplete()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    call.cancel("the HTTP response ended early", failure);
                  }
                });
    call.start(this, CoreCalls.metadata(exchange));
    call.request(WINDOW);
    call.sendMessage(request);
    call.halfClose();
    return response;
  }

  @Override
  public synchronized void onMessage(Message message) {
    if (ended) {
      return;
    }
    if (!begun) {
      begin(Optional.of(message));
    }
    Optional<HttpData> data = content.data(message);
    if (data.isPresent()) {
      write(data.get(), 1);
    } else {
      call.request(1);
    }
    if (content.isLast(message)) {
      ended = true;
      writer.close();
      call.cancel("the stream has ended", null);
    }
  }

  @Override
  public synchronized void onClose(Status status, Metadata trailers) {
    if (ended) {
      return;
    }
    if (status.isOk()) {
      if (!begun) {
        begin(Optional.empty());
      }
      ended = true;
      writer.close();
      return;
    }
    String method = exchange.route().method().getFullMethodName();
    fail(CoreFailures.error(status, trailers, method, exchange.requestId()));
  }

  /** Ends the stream because the gateway stops. */
  synchronized void drain() {
    if (!ended) {
      fail(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server stops; come back later."));
      call.cancel("the gateway stops", null);
    }
  }

  private void begin(Optional<Message> first) {
    begun = true;
    ctx.clearRequestTimeout();
    lastReadNanos = System.nanoTime();
    lastWriteNanos = lastReadNanos;
    writer.write(content.headers(first));
    streams.add(this);
    var unused = writer.whenComplete().whenComplete((done, failure) -> finish(failure));
    long interval = settings.checkInterval().toNanos();
    watch =
        Optional.of(
            ctx.eventLoop()
                .withoutContext()
                .scheduleAtFixedRate(this::check, interval, interval, TimeUnit.NANOSECONDS));
    answer.complete(writer);
  }

  private void fail(ProtocolError error) {
    ended = true;
    if (!begun) {
      answer.complete(ErrorAnswers.response(error, exchange.requestId()));
      return;
    }
    Optional<HttpData> words = content.failure(error);
    if (words.isPresent()) {
      write(words.get(), 0);
      writer.close();
    } else {
      writer.close(ClosedStreamException.get());
    }
  }

  /** Writes a piece; once the connection has taken it, asks the core for {@code more} messages. */
  private void write(HttpData data, int more) {
    long now = System.nanoTime();
    lastWriteNanos = now;
    if (unread.getAndIncrement() == 0) {
      lastReadNanos = now;
    }
    if (writer.tryWrite(data)) {
      var unused = writer.whenConsumed().thenRun(() -> read(more));
    }
  }

  private void read(int more) {
    lastReadNanos = System.nanoTime();
    unread.decrementAndGet();
    if (more > 0) {
      call.request(more);
    }
  }

  private void check() {
    long now = System.nanoTime();
    if (unread.get() > 0) {
      if (now - lastReadNanos > settings.slowReaderTimeout().toNanos()) {
        cut();
      }
      return;
    }
    if (now - lastWriteNanos >= settings.heartbeatInterval().toNanos()) {
      synchronized (this) {
        if (!ended) {
          content.heartbeat().ifPresent(beat -> write(beat, 0));
        }
      }
    }
  }

  private void cut() {
    streams.countSlowReader();
    log.info(
        "Request {}: closed {}, whose reader has read nothing for {} s",
        exchange.requestId(),
        exchange.route().path().text(),
        settings.slowReaderTimeout().toSeconds());
    writer.abort();
    if (!ctx.sessionProtocol().isMultiplex()) {
      // An HTTP/1 connection would wait for what it has already taken, which nobody reads.
      var unused = ctx.log().partial().channel().close();
    }
  }

  private void finish(Throwable failure) {
    watch.ifPresent(task -> task.cancel(false));
    streams.remove(this);
    if (failure != null) {
      call.cancel("the reader went away", failure);
    }
  }
}
