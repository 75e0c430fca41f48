package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.websocket.CloseWebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.server.websocket.WebSocketProtocolViolationException;
import dev.bridle.gateway.kit.call.BodyBudget;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Assembles a client's frames into complete messages and delivers them one at a time: the next is
 * read when it is requested. Meanwhile, flow control of the connection applies.
 */
public final class Inbox implements Subscriber<WebSocketFrame> {

  /**
   * Receives a client's messages and requests the {@linkplain Inbox#next() next} when it is ready.
   */
  public interface Reader {

    /** A text message, in UTF-8. */
    void text(byte[] message);

    /** A binary message, which the protocol does not use. */
    void binary();

    /** A ping. */
    void ping(byte[] payload);

    /** A pong. */
    void pong();

    /** The client violated the WebSocket protocol. */
    void violation(WebSocketCloseStatus status, String reason);

    /** The client closes, with its status if it sent one. */
    void closing(Optional<WebSocketCloseStatus> status);

    /** The connection is lost. */
    void lost();
  }

  private final Reader reader;
  private final int maxBytes;
  private final BodyBudget.Reservation reservation;
  private ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
  private boolean binary;
  // Read without a lock: a request for more may deliver it synchronously to a reader that holds
  // locks.
  private volatile Optional<Subscription> subscription = Optional.empty();
  private volatile boolean closed;

  /**
   * Creates an inbox.
   *
   * @param maxBytes the maximum size of a message
   * @param reservation the memory reservation of a message until it is delivered
   */
  public Inbox(Reader reader, int maxBytes, BodyBudget.Reservation reservation) {
    this.reader = reader;
    this.maxBytes = maxBytes;
    this.reservation = reservation;
  }

  /** Requests the next message. */
  public void next() {
    subscription.ifPresent(from -> from.request(1));
  }

  /** Stops reading, except for the client's close frame. */
  public void close() {
    closed = true;
    reservation.close();
    subscription.ifPresent(from -> from.request(Long.MAX_VALUE));
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = Optional.of(given);
    // A concurrent close either sees the subscription or is seen here.
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
    if (!reservation.grow(frame.length())) {
      reader.violation(
          WebSocketCloseStatus.TRY_AGAIN_LATER, "Too many messages are in progress; reconnect.");
      return;
    }
    parts.writeBytes(frame.array());
    if (!frame.isFinalFragment()) {
      next();
      return;
    }
    byte[] message = parts.toByteArray();
    // A new buffer, so that a connection does not keep the capacity of its largest message.
    parts = new ByteArrayOutputStream(0);
    reservation.clear();
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
    reservation.close();
    if (cause instanceof WebSocketProtocolViolationException violation) {
      // Armeria answers violations itself, except those in a close frame, including an empty one;
      // such a client is answered here.
      if (violation.closeStatus().equals(WebSocketCloseStatus.INVALID_PAYLOAD_DATA)) {
        reader.closing(Optional.empty());
      }
      return;
    }
    reader.lost();
  }

  @Override
  public void onComplete() {
    reservation.close();
    reader.lost();
  }
}
