package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.BodyBudget;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.ResponseWriter;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One WebSocket: its handshake, frames in and out, pings, and its end. Sends at the pace of the
 * client. Frames of the client are processed one at a time: the next one is read only when the
 * client has received the reply to the previous one, which bounds the memory per client. An error
 * before the handshake is accepted is an ordinary HTTP response.
 *
 * <p>All state is guarded by the session itself; subclasses synchronize on it too.
 */
public abstract class SocketSession implements ResponseWriter.Source, Inbox.Reader {

  /** The number of pings that may remain unanswered. */
  private static final int MISSED_PINGS = 3;

  private final Call call;
  private final FrameCodec codec;
  private final WebSocketWriter writer = WebSocket.streaming();
  private final ResponseWriter<WebSocketFrame> output;
  private final Arriving arriving;
  private final Inbox inbox;
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private final StreamSettings settings;
  private Optional<ScheduledFuture<?>> watch = Optional.empty();
  private OptionalLong unfinished = OptionalLong.empty();
  private int missedPings;
  private boolean accepted;
  // Whether a frame of the client is being processed.
  private boolean answering;
  private boolean closed;
  private boolean clientClosed;
  private boolean allWritten;

  /**
   * Creates the session of a handshake, which {@link #accept} accepts.
   *
   * @param room the memory of what the client sends, until it is answered
   */
  protected SocketSession(
      Call call,
      FrameCodec codec,
      StreamSettings settings,
      OpenStreams streams,
      BodyBudget.Reservation room) {
    this.call = call;
    this.codec = codec;
    this.settings = settings;
    this.output = new ResponseWriter<>(call, writer, this, settings, streams);
    this.arriving = new Arriving(room);
    this.inbox = new Inbox(this, codec.maxFrameBytes(), arriving);
  }

  // What a subclass does with a frame, and at the end.

  /** Processes a text message of the client, which {@link #reply} or {@link #next} ends. */
  protected abstract void received(byte[] message);

  /** Returns the reply to a message that is rejected. */
  protected abstract WebSocketFrame rejection(ProtocolError error, String requestId);

  /** Returns the last frame of a session that fails. */
  protected abstract WebSocketFrame lastError(ProtocolError error);

  /** Ends what serves the session, such as a stream of the core; may be called repeatedly. */
  protected abstract void cancel(String reason);

  /** The client has the reply to its message; the session may close now. */
  protected void replied() {}

  /** A ping was sent on a silent connection. */
  protected void pinged() {}

  // What a subclass uses.

  /** Returns the response to the handshake. */
  protected final HttpResponse response() {
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
    return response;
  }

  /** Accepts the handshake; does nothing if it is accepted already. */
  protected final void accept() {
    if (accepted) {
      return;
    }
    accepted = true;
    WebSocket in = codec.decode(call, arriving);
    output.open();
    answer.complete(codec.encode(call, writer));
    in.subscribe(inbox, call.ctx().eventLoop());
    long nanos = settings.requestTimeout().toNanos();
    watch =
        Optional.of(
            call.ctx()
                .eventLoop()
                .withoutContext()
                .scheduleAtFixedRate(this::checkUnfinished, nanos, nanos, TimeUnit.NANOSECONDS));
  }

  /** Closes, if the message that is unfinished now was so a whole request timeout ago. */
  private synchronized void checkUnfinished() {
    OptionalLong now = inbox.unfinished();
    if (now.isPresent() && now.equals(unfinished)) {
      close(Closing.UNFINISHED, Closing.UNFINISHED.reasonPhrase());
    }
    unfinished = now;
  }

  /** Returns whether the handshake is accepted. */
  protected final boolean isAccepted() {
    return accepted;
  }

  /** Rejects the handshake. */
  protected final void reject(ProtocolError error) {
    closed = true;
    answer.complete(call.errors().response(error, call.requestId()));
  }

  /** Returns whether nothing more is sent. */
  protected final boolean isClosed() {
    return closed;
  }

  /** Returns whether a message of the client is being processed. */
  protected final boolean isAnswering() {
    return answering;
  }

  /** Sends a frame. */
  protected final void send(WebSocketFrame frame) {
    output.write(frame);
  }

  /** Sends a frame; {@code taken} runs when the connection has accepted it. */
  protected final void send(WebSocketFrame frame, Runnable taken) {
    output.write(frame, taken);
  }

  /** Counts the frames that {@link #sendCounted} sends; call it before the handshake's accepted. */
  protected final void bound(UnsentBytes unsent, String tenant) {
    output.bound(unsent, tenant);
  }

  /**
   * Sends a frame as {@link #send(WebSocketFrame, Runnable)} does, if its bytes have room; else
   * fails.
   */
  protected final void sendCounted(WebSocketFrame frame, Runnable taken) {
    if (!output.write(frame, frame.length(), taken)) {
      fail(UnsentBytes.refusal().error(), Closing.of(UnsentBytes.refusal().error()));
    }
  }

  /** Counts bytes that are kept for frames to come; fails if they have no room. */
  protected final void keep(long bytes) {
    if (!output.keep(bytes)) {
      fail(UnsentBytes.refusal().error(), Closing.of(UnsentBytes.refusal().error()));
    }
  }

  /** Counts bytes no more that were {@linkplain #keep kept}. */
  protected final void unkeep(long bytes) {
    output.unkeep(bytes);
  }

  /** Replies to the client's message, and reads the next one when the client has the reply. */
  protected final void reply(WebSocketFrame frame) {
    if (!closed) {
      answering = false;
      sendCounted(frame, inbox::next);
      replied();
    }
  }

  /** Reads the client's next message, since the one before gets no reply. */
  protected final void next() {
    if (!closed) {
      answering = false;
      inbox.next();
      replied();
    }
  }

  /** Sends the last frame of a failure, and closes. */
  protected final void fail(ProtocolError error, WebSocketCloseStatus status) {
    output.write(lastError(error));
    close(status, status.reasonPhrase());
  }

  /** Closes, if that has not happened yet. */
  protected final void close(WebSocketCloseStatus status, String reason) {
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

  // Callbacks of the client's frames.

  @Override
  public final synchronized void text(byte[] message) {
    missedPings = 0;
    if (!closed) {
      answering = true;
      received(message);
    }
  }

  @Override
  public final synchronized void binary() {
    missedPings = 0;
    ProtocolError error =
        ProtocolError.invalid("", "Binary frames are not supported; send text frames.");
    reply(rejection(error, RequestIds.mint()));
  }

  @Override
  public final synchronized void ping(byte[] payload) {
    missedPings = 0;
    if (!closed) {
      output.write(WebSocketFrame.ofPong(payload), inbox::next);
    }
  }

  @Override
  public final synchronized void pong() {
    missedPings = 0;
    inbox.next();
  }

  @Override
  public final synchronized void violation(WebSocketCloseStatus status, String reason) {
    close(status, reason);
  }

  @Override
  public final synchronized void closing(Optional<WebSocketCloseStatus> status) {
    clientClosed = true;
    close(status.orElse(Closing.DONE), "");
    hangUpIfBothClosed();
  }

  @Override
  public final synchronized void lost() {
    if (!closed) {
      closed = true;
      writer.abort(ClosedStreamException.get());
    }
    cancel("the client disconnected");
  }

  // Callbacks of the connection.

  @Override
  public final synchronized void idle() {
    if (closed || answering) {
      return;
    }
    if (missedPings == MISSED_PINGS) {
      close(Closing.SILENT, Closing.SILENT.reasonPhrase());
      return;
    }
    missedPings++;
    output.write(WebSocketFrame.ofPing());
    pinged();
  }

  @Override
  public final synchronized void drain() {
    if (!closed) {
      fail(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server is stopping; retry later."),
          Closing.STOPPING);
    }
  }

  @Override
  public final synchronized void closed(Optional<Throwable> failure) {
    closed = true;
    allWritten = failure.isEmpty();
    watch.ifPresent(task -> task.cancel(false));
    cancel("the WebSocket is closed");
    hangUpIfBothClosed();
  }

  private void hangUpIfBothClosed() {
    if (clientClosed && allWritten) {
      codec.hangUp(call);
    }
  }
}
