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
import dev.bridle.gateway.call.BodyBudget;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RequestIds;
import dev.bridle.gateway.call.Transcoder;
import dev.bridle.gateway.error.ErrorAnswers;
import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import dev.bridle.gateway.stream.CoreStream;
import dev.bridle.gateway.stream.Outlet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One WebSocket. Events go out as the client takes them; its frames are answered one after the
 * other, and the next is read once the client has taken the answer of the one before, so that a
 * client holds no more memory than for one. An error before the first event is an ordinary answer.
 */
final class Conversation implements CoreStream.Receiver, Outlet.Filler, Inbox.Reader {

  /** The type of a client's frames that ask whether this side is there. */
  static final String PING = "ping";

  /** The type of a client's frames that take the stream up elsewhere. */
  static final String RESUME = "resume";

  /** How many pings may go unanswered. */
  private static final int MISSED_PINGS = 3;

  private final Exchange exchange;
  private final RequestBinder binder;
  private final Sockets sockets;
  private final WebSocketWriter writer = WebSocket.streaming();
  private final Outlet<WebSocketFrame> outlet;
  private final Inbox inbox;
  private final ToolRequests tools = new ToolRequests();
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private CoreStream stream;
  private Optional<Resumption> resumption = Optional.empty();
  private String lastEventId = "";
  private int missedPings;
  private boolean begun;
  private boolean live;
  // A frame of the client is being answered.
  private boolean answering;
  // The core has sent all that there is.
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
    this.outlet = new Outlet<>(exchange, writer, this, sockets.settings(), sockets.streams());
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

  // What the core sends.

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
        outlet.write(sockets.frames().event(frame.getEvent(), !live), from::taken);
        if (!live) {
          tools.stored(frame.getEvent());
        } else if (ToolRequests.asks(frame.getEvent())) {
          outlet.write(sockets.frames().toolRequest(frame.getEvent()));
        }
      }
      case HISTORY_END -> {
        live = true;
        outlet.write(sockets.frames().live(), from::taken);
        tools.take().forEach(asked -> outlet.write(sockets.frames().toolRequest(asked)));
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
      answer.complete(ErrorAnswers.response(error, exchange.requestId()));
    }
  }

  /** Whether a stream is the one that is told; the first word of a resumed one makes it so. */
  private boolean isCurrent(CoreStream from) {
    if (resumption.filter(asked -> asked.stream() == from).isPresent()) {
      Resumption asked = resumption.get();
      resumption = Optional.empty();
      CoreStream before = stream;
      stream = from;
      before.cancel("the client resumes elsewhere");
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
    outlet.open();
    answer.complete(sockets.codec().encode(exchange, writer));
    in.subscribe(inbox, exchange.ctx().eventLoop());
  }

  // What the client sends.

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
      ClientFrame frame = sockets.codec().parse(message);
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
    CompletableFuture<WebSocketFrame> told =
        request(command, frame, inner)
            .thenApply(result -> sockets.frames().ack(frame.id(), command.status(), result))
            .exceptionally(
                failure ->
                    sockets
                        .frames()
                        .error(frame.id(), Transcoder.error(inner, failure), requestId));
    var unused = told.thenAccept(this::reply);
  }

  /** Calls the core; a frame that is refused here is refused by the core first, as over REST. */
  private CompletableFuture<Message> request(
      FrameCommand command, ClientFrame frame, Exchange inner) {
    Message request;
    try {
      request = command.request(inner, frame);
    } catch (ProtocolException e) {
      return sockets
          .core()
          .refusal(inner, e.error())
          .thenCompose(error -> CompletableFuture.failedFuture(new ProtocolException(error)));
    }
    return sockets.core().unary(inner, request);
  }

  private void resume(ClientFrame frame) {
    String cursor =
        frame
            .text("last_event_id")
            .orElseThrow(
                () ->
                    ClientFrame.refusal(
                        "last_event_id", "The member is missing; expected an event's id."));
    Exchange inner = exchange.with(Handshake.withCursor(exchange.request().headers(), cursor));
    Message request = binder.bind(inner, Optional.empty()).build();
    CoreStream asked = new CoreStream(sockets.core(), inner, this);
    resumption = Optional.of(new Resumption(asked, frame.id(), cursor));
    var unused =
        exchange
            .ctx()
            .eventLoop()
            .schedule(
                () -> expire(asked),
                sockets.settings().requestTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
    asked.start(request);
  }

  /** Gives up a resumption that the core has not answered. */
  private synchronized void expire(CoreStream asked) {
    if (resumption.filter(waiting -> waiting.stream() == asked).isPresent()) {
      asked.cancel("the core did not answer in time");
      failure(
          asked,
          ProtocolError.of(
              ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "The request took longer than is allowed."));
    }
  }

  private synchronized void reply(WebSocketFrame frame) {
    if (closed) {
      return;
    }
    answering = false;
    outlet.write(frame, inbox::next);
    closeIfDone();
  }

  @Override
  public synchronized void binary() {
    if (!closed) {
      ProtocolError error = ProtocolError.invalid("", "Frames must be text, but this is binary.");
      missedPings = 0;
      reply(sockets.frames().error(Optional.empty(), error, RequestIds.mint()));
    }
  }

  @Override
  public synchronized void ping(byte[] payload) {
    missedPings = 0;
    if (!closed) {
      outlet.write(WebSocketFrame.ofPong(payload), inbox::next);
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
    cancel("the client went away");
  }

  // What the connection tells.

  @Override
  public synchronized void silent() {
    if (closed || answering) {
      return;
    }
    if (missedPings == MISSED_PINGS) {
      close(Closing.SILENT, Closing.SILENT.reasonPhrase());
      return;
    }
    missedPings++;
    outlet.write(WebSocketFrame.ofPing());
    outlet.write(sockets.frames().heartbeat());
  }

  @Override
  public synchronized void drain() {
    if (!closed) {
      fail(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server stops; come back later."),
          Closing.STOPPING);
    }
  }

  @Override
  public synchronized void gone(Optional<Throwable> failure) {
    closed = true;
    allWritten = failure.isEmpty();
    cancel("the WebSocket has ended");
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
    outlet.write(sockets.frames().lastError(error, exchange.requestId(), lastEventId));
    close(status, status.reasonPhrase());
  }

  private void close(WebSocketCloseStatus status, String reason) {
    if (closed) {
      return;
    }
    closed = true;
    cancel("the WebSocket closes");
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
