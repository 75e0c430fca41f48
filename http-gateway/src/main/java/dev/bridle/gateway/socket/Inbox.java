package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.websocket.CloseWebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.server.websocket.WebSocketProtocolViolationException;
import dev.bridle.gateway.call.BodyBudget;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Gathers what a client sends into whole messages, and hands them on one at a time: the next is
 * read once it is asked for. What a client sends meanwhile waits in the connection, which stops
 * being read when too much does.
 */
final class Inbox implements Subscriber<WebSocketFrame> {

  /**
   * Takes what a client sends, and asks for the {@linkplain Inbox#next() next} once it may come.
   */
  interface Reader {

    /** A message in UTF-8. */
    void text(byte[] message);

    /** A message of bytes, which the protocol has no use for. */
    void binary();

    /** A question whether this side is there. */
    void ping(byte[] payload);

    /** An answer to such a question of this side. */
    void pong();

    /** What was sent breaks the rules of WebSockets. */
    void violation(WebSocketCloseStatus status, String reason);

    /** The client closes; with the status that it gives. */
    void closing(Optional<WebSocketCloseStatus> status);

    /** The connection is gone. */
    void lost();
  }

  private final Reader reader;
  private final int maxBytes;
  private final BodyBudget.Reservation room;
  private ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
  private boolean binary;
  // Read without a lock: to ask for more may deliver it at once, to a reader who has locks itself.
  private volatile Optional<Subscription> subscription = Optional.empty();
  private volatile boolean closed;

  /**
   * @param maxBytes the longest message
   * @param room what a message takes of the memory for bodies, until it has been handed on
   */
  Inbox(Reader reader, int maxBytes, BodyBudget.Reservation room) {
    this.reader = reader;
    this.maxBytes = maxBytes;
    this.room = room;
  }

  /** Reads on. */
  void next() {
    subscription.ifPresent(from -> from.request(1));
  }

  /** Reads nothing any more, but for the client's word that it closes as well. */
  void close() {
    closed = true;
    room.close();
    subscription.ifPresent(from -> from.request(Long.MAX_VALUE));
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = Optional.of(given);
    // Whoever closes meanwhile finds the subscription, or is found here.
    given.request(closed ? Long.MAX_VALUE : 1);
  }

  @Override
  public void onNext(WebSocketFrame frame) {
    if (closed && frame.type() != WebSocketFrameType.CLOSE) {
      return;
    }
    switch (frame.type()) {
      case TEXT, BINARY, CONTINUATION -> data(frame);
      case PING -> reader.ping(frame.array());
      case PONG -> reader.pong();
      case CLOSE -> reader.closing(Optional.of(((CloseWebSocketFrame) frame).status()));
      default -> next();
    }
  }

  private void data(WebSocketFrame frame) {
    if (frame.type() != WebSocketFrameType.CONTINUATION) {
      binary = frame.type() == WebSocketFrameType.BINARY;
    }
    if (parts.size() + frame.length() > maxBytes) {
      reader.violation(
          WebSocketCloseStatus.MESSAGE_TOO_BIG,
          "The message is larger than " + maxBytes + " bytes.");
      return;
    }
    if (!room.grow(frame.length())) {
      reader.violation(
          WebSocketCloseStatus.TRY_AGAIN_LATER, "Too many messages are under way; connect again.");
      return;
    }
    parts.writeBytes(frame.array());
    if (!frame.isFinalFragment()) {
      next();
      return;
    }
    byte[] message = parts.toByteArray();
    // A new one, so that no connection keeps the room of its longest message.
    parts = new ByteArrayOutputStream(0);
    room.clear();
    if (binary) {
      reader.binary();
    } else if (isUtf8(message)) {
      reader.text(message);
    } else {
      reader.violation(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "The text is not UTF-8.");
    }
  }

  private static boolean isUtf8(byte[] message) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Override
  public void onError(Throwable cause) {
    room.close();
    if (cause instanceof WebSocketProtocolViolationException violation) {
      // Armeria answers violations itself, but for those within a closing frame, to which an empty
      // one belongs for it; a client that closes is to be answered all the same.
      if (violation.closeStatus().equals(WebSocketCloseStatus.INVALID_PAYLOAD_DATA)) {
        reader.closing(Optional.empty());
      }
      return;
    }
    reader.lost();
  }

  @Override
  public void onComplete() {
    room.close();
    reader.lost();
  }
}
