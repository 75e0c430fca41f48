package dev.bridle.gateway.socket;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.gateway.call.Binding;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.Handshake;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.kit.call.BodyBudget;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.socket.Closing;
import dev.bridle.gateway.kit.socket.SocketSession;
import dev.bridle.gateway.kit.stream.CoreStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Serves one WebSocket: sends the events of the core's stream, and runs the client's frames as
 * commands, one at a time.
 */
final class Conversation extends SocketSession implements CoreStream.Receiver {

  /** The type of a client's ping frames. */
  static final String PING = "ping";

  /** The type of a client's frames that resume the stream at another cursor. */
  static final String RESUME = "resume";

  private final Exchange exchange;
  private final RequestBinder binder;
  private final Sockets sockets;
  private final ToolRequests tools = new ToolRequests();
  private CoreStream stream;
  private Optional<Resumption> resumption = Optional.empty();
  private String lastEventId = "";
  private boolean live;
  // The bytes of the tool requests that wait for the stream to become live.
  private long kept;
  // Whether the core has completed the stream.
  private boolean complete;

  private record Resumption(CoreStream stream, Optional<String> id, String cursor) {}

  Conversation(
      Exchange exchange,
      RequestBinder binder,
      Sockets sockets,
      BodyBudget.Reservation room,
      String tenant) {
    super(exchange, sockets.codec(), sockets.settings(), sockets.streams(), room);
    bound(sockets.streams().unsent(), tenant);
    this.exchange = exchange;
    this.binder = binder;
    this.sockets = sockets;
    this.stream = new CoreStream(sockets.core(), exchange, this, CoreStream.Window.EVENTS);
  }

  HttpResponse start(Message request) {
    HttpResponse response = response();
    stream.start(request);
    return response;
  }

  // Callbacks of the core's stream.

  @Override
  public synchronized void message(CoreStream from, Message message) {
    if (isClosed() || !isCurrent(from)) {
      return;
    }
    accept();
    EventFrame frame = (EventFrame) message;
    switch (frame.getFrameCase()) {
      case EVENT -> {
        lastEventId = frame.getEvent().getId();
        sendCounted(sockets.frames().event(frame.getEvent(), !live), from::taken);
        if (!live) {
          tools.stored(frame.getEvent());
          countTools();
        } else if (ToolRequests.asks(frame.getEvent())) {
          sendTool(frame.getEvent());
        }
      }
      case HISTORY_END -> {
        live = true;
        send(sockets.frames().live(), from::taken);
        tools.take().forEach(this::sendTool);
        countTools();
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
    if (isClosed() || !isCurrent(from)) {
      return;
    }
    accept();
    complete = true;
    closeIfDone();
  }

  @Override
  public synchronized void failure(CoreStream from, ProtocolError error) {
    if (isClosed()) {
      return;
    }
    if (resumption.filter(asked -> asked.stream() == from).isPresent()) {
      Optional<String> id = resumption.get().id();
      resumption = Optional.empty();
      reply(sockets.frames().error(id, error, exchange.requestId()));
    } else if (from == stream && isAccepted()) {
      fail(error, Closing.of(error));
    } else if (from == stream) {
      reject(error);
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
      var unused = tools.take();
      countTools();
      complete = false;
      reply(sockets.frames().resumed(asked.id(), asked.cursor()));
    }
    return from == stream;
  }

  private void sendTool(Event asked) {
    if (!isClosed()) {
      sendCounted(sockets.frames().toolRequest(asked), () -> {});
    }
  }

  private void countTools() {
    long bytes = tools.bytes();
    if (bytes > kept && !isClosed()) {
      keep(bytes - kept);
    } else if (bytes < kept) {
      unkeep(kept - bytes);
    }
    kept = bytes;
  }

  // Callbacks of the client's frames.

  @Override
  protected void received(byte[] message) {
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
      case PING -> {
        frame.needOnly(List.of());
        reply(sockets.frames().pong(frame.id()));
      }
      case RESUME -> resume(frame);
      default -> command(sockets.command(type), frame, requestId);
    }
  }

  private void command(FrameCommand command, ClientFrame frame, String requestId) {
    Exchange inner = command.exchange(exchange, frame, requestId);
    var unused =
        request(command, frame, inner)
            .exceptionally(
                failure ->
                    sockets.frames().error(frame.id(), Failures.error(inner, failure), requestId))
            .thenAccept(this::replyLater);
  }

  /**
   * Calls the core and returns the acknowledgment. If a frame is rejected here, checks the
   * credentials with the core first, as over REST.
   */
  private CompletableFuture<WebSocketFrame> request(
      FrameCommand command, ClientFrame frame, Exchange inner) {
    try {
      List<String> ignored = new ArrayList<>(command.ignored(inner, frame));
      Binding bound = command.bind(inner, frame);
      ignored.addAll(bound.ignored());
      return command
          .call(inner, bound)
          .thenApply(result -> sockets.frames().ack(frame.id(), command.status(), result, ignored));
    } catch (ProtocolException e) {
      return sockets
          .core()
          .refusal(inner, e.error())
          .thenCompose(error -> CompletableFuture.failedFuture(new ProtocolException(error)));
    }
  }

  private void resume(ClientFrame frame) {
    frame.needOnly(List.of("last_event_id"));
    String cursor =
        frame
            .text("last_event_id")
            .orElseThrow(
                () ->
                    ClientFrame.invalid(
                        "last_event_id", "The member is missing; expected an event's id."));
    Exchange inner = exchange.with(Handshake.withCursor(exchange.request().headers(), cursor));
    Message request = binder.bind(inner, Optional.empty()).message().build();
    CoreStream asked = new CoreStream(sockets.core(), inner, this, CoreStream.Window.EVENTS);
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

  private synchronized void replyLater(WebSocketFrame frame) {
    reply(frame);
  }

  @Override
  protected WebSocketFrame rejection(ProtocolError error, String requestId) {
    return sockets.frames().error(Optional.empty(), error, requestId);
  }

  @Override
  protected WebSocketFrame lastError(ProtocolError error) {
    return sockets.frames().lastError(error, exchange.requestId(), lastEventId);
  }

  @Override
  protected void pinged() {
    send(sockets.frames().heartbeat());
  }

  @Override
  protected void replied() {
    closeIfDone();
  }

  private void closeIfDone() {
    if (complete && !isAnswering() && resumption.isEmpty()) {
      close(Closing.DONE, "the stream has ended");
    }
  }

  @Override
  protected void cancel(String reason) {
    stream.cancel(reason);
    resumption.ifPresent(asked -> asked.stream().cancel(reason));
    resumption = Optional.empty();
  }
}
