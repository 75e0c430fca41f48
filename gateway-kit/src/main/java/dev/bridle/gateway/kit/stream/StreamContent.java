package dev.bridle.gateway.kit.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.kit.error.ProtocolError;
import java.util.Optional;

/** Encodes the messages of one response stream for HTTP. Called by one thread at a time. */
public interface StreamContent {

  /** Returns the headers, given the first message; empty if the stream ended without any. */
  ResponseHeaders headers(Optional<Message> first);

  /** Returns the bytes of a message, if it has any. */
  Optional<HttpData> data(Message message);

  /** Returns whether a message is the last one. */
  boolean isLast(Message message);

  /**
   * Returns the last bytes of a failed stream; if empty, the response is aborted, so that it does
   * not appear complete.
   */
  Optional<HttpData> failure(ProtocolError error);

  /** Returns the heartbeat of an idle connection, if the format has one. */
  Optional<HttpData> heartbeat();

  /** Returns how much is in flight to a client at most. */
  CoreStream.Window window();
}
