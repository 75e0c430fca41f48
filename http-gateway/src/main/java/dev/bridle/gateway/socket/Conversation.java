package dev.bridle.gateway.socket;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.Handshake;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.call.BodyBudget;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.socket.Closing;
import dev.bridle.gateway.kit.socket.Inbox;
import dev.bridle.gateway.kit.stream.CoreStream;
import dev.bridle.gateway.kit.stream.ResponseWriter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Serves one WebSocket. Sends events at the pace of the client. Processes its frames one at a time:
 * reads the next frame only when the client has received the reply to the previous one, which
 * bounds the memory per client. An error before the first event is an ordinary HTTP response.
 */
final class Conversation implements CoreStream.Receiver, ResponseWriter.Source, Inbox.Reader {

  /** The type of a client's ping frames. */
  static final String PING = "ping";

  /** The type of a client's frames that resume the stream at another cursor. */
  static final String RESUME = "resume";

  /** The number of pings that may remain unanswered. */
  private static final int MISSED_PINGS = 3;

  private final Exchange exchange;
  private final RequestBinder binder;
  private final Sockets sockets;
  private final WebSocketWriter writer = WebSocket.streaming();
  private final ResponseWriter<WebSocketFrame> output;
  private final Inbox inbox;
  private final ToolRequests tools = new ToolRequests();
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private CoreStream stream;
  private Optional<Resumption> resumption = Optional.empty();
  private String lastEventId = "";
  private int missedPings;
  private boolean begun;
  private boolean live;
  // Whether a frame of the client is being processed.
  private boolean answering;
  // Whether the core has completed the stream.
  private boolean complete;
  private boolean closed;
  private boolean clientClosed;
  private boolean allWritten;

  private record Resumption(CoreStream stream, Optional<String> id, String cursor) {}

  Conversation(
      Exchange exchange, RequestBinder binder, Sockets sockets, BodyBudget.Reservation room) {
    this.exchange = exchange;
    this.binder = binder;
    this.sockets = sockets;
    this.output =
        new ResponseWriter<>(exchange, writer, this, sockets.settings(), sockets.streams());
    this.inbox = new Inbox(this, sockets.codec().maxFrameBytes(), room);
    this.stream = new CoreStream(sockets.core(), exchange, this);
  }

  HttpResponse start(Message request) {
    HttpResponse response = HttpResponse.of(answer);
    var unused =
        response
            .whenComplete()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    lost();
                  }
                });
    stream.start(request);
    return response;
  }

  // Callbacks of the core's stream.

  @Override
  public synchronized void message(CoreStream from, Message message) {
    if (closed || !isCurrent(from)) {
      return;
    }
    if (!begun) {
      begin();
    }
    EventFrame frame = (EventFrame) message;
    switch (frame.getFrameCase()) {
      case EVENT -> {
        lastEventId = frame.getEvent().getId();
        output.write(sockets.frames().event(frame.getEvent(), !live), from::taken);
        if (!live) {
          tools.stored(frame.getEvent());
        } else if (ToolRequests.asks(frame.getEvent())) {
          output.write(sockets.frames().toolRequest(frame.getEvent()));
        }
      }
      case HISTORY_END -> {
        live = true;
        output.write(sockets.frames().live(), from::taken);
        tools.take().forEach(asked -> output.write(sockets.frames().toolRequest(asked)));
      }
      case ERROR -> {
        if (!frame.getError().getLastEventId().isEmpty()) {
          lastEventId = frame.getError().getLastEventId();
        }
        ProtocolError error = ProtocolError.of(frame.getError().getError());
        fail(error, Closing.of(error));
      }
      case FRAME_NOT_SET -> from.taken();
    }
  }

  @Override
  public synchronized void end(CoreStream from) {
    if (closed || !isCurrent(from)) {
      return;
    }
    if (!begun) {
      begin();
    }
    complete = true;
    closeIfDone();
  }

  @Override
  public synchronized void failure(CoreStream from, ProtocolError error) {
    if (closed) {
      return;
    }
    if (resumption.filter(asked -> asked.stream() == from).isPresent()) {
      Optional<String> id = resumption.get().id();
      resumption = Optional.empty();
      reply(sockets.frames().error(id, error, exchange.requestId()));
    } else if (from == stream && begun) {
      fail(error, Closing.of(error));
    } else if (from == stream) {
      closed = true;
      answer.complete(ErrorEnvelope.FORMAT.response(error, exchange.requestId()));
    }
  }

  /**
   * Returns whether a stream is the current one; the first message of a resumed stream makes it
   * current.
   */
  private boolean isCurrent(CoreStream from) {
    if (resumption.filter(asked -> asked.stream() == from).isPresent()) {
      Resumption asked = resumption.get();
      resumption = Optional.empty();
      CoreStream before = stream;
      stream = from;
      before.cancel("the client resumed at another cursor");
      lastEventId = asked.cursor();
      live = false;
      tools.take();
      complete = false;
      reply(sockets.frames().resumed(asked.id(), asked.cursor()));
    }
    return from == stream;
  }

  private void begin() {
    begun = true;
    WebSocket in = sockets.codec().decode(exchange);
    output.open();
    answer.complete(sockets.codec().encode(exchange, writer));
    in.subscribe(inbox, exchange.ctx().eventLoop());
  }

  // Callbacks of the client's frames.

  @Override
  public synchronized void text(byte[] message) {
    missedPings = 0;
    if (closed) {
      return;
    }
    answering = true;
    Optional<String> id = Optional.empty();
    String requestId = RequestIds.mint();
    try {
      ClientFrame frame = ClientFrame.parse(message, sockets.codec().maxFrameDepth());
      id = frame.id();
      answer(frame, requestId);
    } catch (ProtocolException e) {
      reply(sockets.frames().error(id, e.error(), requestId));
    }
  }

  private void answer(ClientFrame frame, String requestId) {
    String type = frame.type();
    switch (type) {
      case PING -> reply(sockets.frames().pong(frame.id()));
      case RESUME -> resume(frame);
      default -> command(sockets.command(type), frame, requestId);
    }
  }

  private void command(FrameCommand command, ClientFrame frame, String requestId) {
    Exchange inner = command.exchange(exchange, frame, requestId);
    var unused =
        request(command, frame, inner)
            .thenApply(result -> sockets.frames().ack(frame.id(), command.status(), result))
            .exceptionally(
                failure ->
                    sockets.frames().error(frame.id(), Failures.error(inner, failure), requestId))
            .thenAccept(this::reply);
  }

  /**
   * Calls the core. If a frame is rejected here, checks the credentials with the core first, as
   * over REST.
   */
  private CompletableFuture<Message> request(
      FrameCommand command, ClientFrame frame, Exchange inner) {
    try {
      return command.call(inner, frame);
    } catch (ProtocolException e) {
      return sockets
          .core()
          .refusal(inner, e.error())
          .thenCompose(error -> CompletableFuture.failedFuture(new ProtocolException(error)));
    }
  }

  private void resume(ClientFrame frame) {
    String cursor =
        frame
            .text("last_event_id")
            .orElseThrow(
                () ->
                    ClientFrame.invalid(
                        "last_event_id", "The member is missing; expected an event's id."));
    Exchange inner = exchange.with(Handshake.withCursor(exchange.request().headers(), cursor));
    Message request = binder.bind(inner, Optional.empty()).build();
    CoreStream asked = new CoreStream(sockets.core(), inner, this);
    resumption = Optional.of(new Resumption(asked, frame.id(), cursor));
    long millis = sockets.settings().requestTimeout().toMillis();
    var loop = exchange.ctx().eventLoop();
    var unused = loop.schedule(() -> expire(asked), millis, TimeUnit.MILLISECONDS);
    asked.start(request);
  }

  /** Cancels a resumption that the core has not answered in time. */
  private synchronized void expire(CoreStream asked) {
    if (resumption.filter(waiting -> waiting.stream() == asked).isPresent()) {
      asked.cancel("the core did not answer in time");
      failure(
          asked,
          ProtocolError.of(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "The request timed out."));
    }
  }

  private synchronized void reply(WebSocketFrame frame) {
    if (closed) {
      return;
    }
    answering = false;
    output.write(frame, inbox::next);
    closeIfDone();
  }

  @Override
  public synchronized void binary() {
    if (!closed) {
      ProtocolError error =
          ProtocolError.invalid("", "Binary frames are not supported; send text frames.");
      missedPings = 0;
      reply(sockets.frames().error(Optional.empty(), error, RequestIds.mint()));
    }
  }

  @Override
  public synchronized void ping(byte[] payload) {
    missedPings = 0;
    if (!closed) {
      output.write(WebSocketFrame.ofPong(payload), inbox::next);
    }
  }

  @Override
  public synchronized void pong() {
    missedPings = 0;
    inbox.next();
  }

  @Override
  public synchronized void violation(WebSocketCloseStatus status, String reason) {
    close(status, reason);
  }

  @Override
  public synchronized void closing(Optional<WebSocketCloseStatus> status) {
    clientClosed = true;
    close(status.orElse(Closing.DONE), "");
    hangUpIfBothClosed();
  }

  @Override
  public synchronized void lost() {
    if (!closed) {
      closed = true;
      writer.abort(ClosedStreamException.get());
    }
    cancel("the client disconnected");
  }

  // Callbacks of the connection.

  @Override
  public synchronized void idle() {
    if (closed || answering) {
      return;
    }
    if (missedPings == MISSED_PINGS) {
      close(Closing.SILENT, Closing.SILENT.reasonPhrase());
      return;
    }
    missedPings++;
    output.write(WebSocketFrame.ofPing());
    output.write(sockets.frames().heartbeat());
  }

  @Override
  public synchronized void drain() {
    if (!closed) {
      fail(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server is stopping; retry later."),
          Closing.STOPPING);
    }
  }

  @Override
  public synchronized void closed(Optional<Throwable> failure) {
    closed = true;
    allWritten = failure.isEmpty();
    cancel("the WebSocket is closed");
    hangUpIfBothClosed();
  }

  private void hangUpIfBothClosed() {
    if (clientClosed && allWritten) {
      sockets.codec().hangUp(exchange);
    }
  }

  private void closeIfDone() {
    if (complete && !answering && resumption.isEmpty()) {
      close(Closing.DONE, "the stream has ended");
    }
  }

  private void fail(ProtocolError error, WebSocketCloseStatus status) {
    output.write(sockets.frames().lastError(error, exchange.requestId(), lastEventId));
    close(status, status.reasonPhrase());
  }

  private void close(WebSocketCloseStatus status, String reason) {
    if (closed) {
      return;
    }
    closed = true;
    cancel("the WebSocket is closing");
    if (reason.isEmpty()) {
      writer.close(status);
    } else {
      writer.close(status, reason);
    }
    inbox.close();
  }

  private void cancel(String reason) {
    stream.cancel(reason);
    resumption.ifPresent(asked -> asked.stream().cancel(reason));
    resumption = Optional.empty();
  }
}
