package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.websocket.CloseWebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.common.websocket.WebSocketFrameType;
import com.linecorp.armeria.server.websocket.WebSocketProtocolViolationException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Assembles a client's frames into complete messages and delivers them one at a time: the next is
 * read when it is requested. Meanwhile, flow control of the connection applies.
 */
final class Inbox implements Subscriber<WebSocketFrame> {

  /**
   * Receives a client's messages and requests the {@linkplain Inbox#next() next} when it is ready.
   */
  interface Reader {

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
  private final Arriving arriving;
  private ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
  private boolean binary;
  // Read without a lock: a request for more may deliver it synchronously to a reader that holds
  // locks.
  private volatile Optional<Subscription> subscription = Optional.empty();
  private volatile boolean closed;
  // Whether the reader waits for a message, and not the client for the reader.
  private volatile boolean asked = true;
  private final AtomicLong delivered = new AtomicLong();
  private long messages;

  /**
   * Creates an inbox.
   *
   * @param maxBytes the maximum size of a message
   * @param arriving counts what is read
   */
  Inbox(Reader reader, int maxBytes, Arriving arriving) {
    this.reader = reader;
    this.maxBytes = maxBytes;
    this.arriving = arriving;
  }

  /** Requests the next message; the one before is not needed any more. */
  void next() {
    arriving.answered(delivered.getAndSet(0));
    asked = true;
    subscription.ifPresent(from -> from.request(1));
  }

  /** Stops reading, except for the client's close frame. */
  void close() {
    closed = true;
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
    boolean data =
        switch (frame.type()) {
          case TEXT, BINARY, CONTINUATION -> true;
          default -> false;
        };
    if (!data || closed) {
      arriving.dropped(frame.length());
    }
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
    arriving.kept(frame.length());
    if (frame.type() != WebSocketFrameType.CONTINUATION) {
      binary = frame.type() == WebSocketFrameType.BINARY;
    }
    if (parts.size() + frame.length() > maxBytes) {
      reader.violation(
          WebSocketCloseStatus.MESSAGE_TOO_BIG,
          "The message is larger than " + maxBytes + " bytes.");
      return;
    }
    if (!frame.isFinalFragment()) {
      parts.writeBytes(frame.array());
      next();
      return;
    }
    byte[] message = frame.array();
    if (parts.size() > 0) {
      parts.writeBytes(message);
      message = parts.toByteArray();
      // A new buffer, so that a connection does not keep the capacity of its largest message.
      parts = new ByteArrayOutputStream(0);
    }
    asked = false;
    messages++;
    delivered.addAndGet(arriving.takeKept());
    if (binary) {
      reader.binary();
    } else if (isUtf8(message)) {
      reader.text(message);
    } else {
      reader.violation(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "The text is not UTF-8.");
    }
  }

  /**
   * Returns which message has begun whose rest the reader waits for, if there is one. Called on the
   * connection's thread.
   */
  OptionalLong unfinished() {
    return asked && !closed && (parts.size() > 0 || arriving.partial())
        ? OptionalLong.of(messages)
        : OptionalLong.empty();
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
    arriving.close();
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
    arriving.close();
    reader.lost();
  }
}
