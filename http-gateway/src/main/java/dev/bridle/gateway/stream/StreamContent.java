package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.error.ProtocolError;
import java.util.Optional;

/** What the messages of one response stream look like over HTTP. Called by one thread at a time. */
interface StreamContent {

  /** The headers, made when the first message is there; empty: the stream ended without any. */
  ResponseHeaders headers(Optional<Message> first);

  /** The bytes of a message, if it has any. */
  Optional<HttpData> data(Message message);

  /** Whether nothing may follow a message. */
  boolean isLast(Message message);

  /**
   * The last bytes of a stream that failed; empty: it is broken off, so that nobody takes it for
   * whole.
   */
  Optional<HttpData> failure(ProtocolError error);

  /** What keeps a silent connection open, if anything may. */
  Optional<HttpData> heartbeat();
}
