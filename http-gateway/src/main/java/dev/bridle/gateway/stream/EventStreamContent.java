package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.stream.CoreStream;
import dev.bridle.gateway.kit.stream.SseFrames;
import dev.bridle.gateway.kit.stream.StreamContent;
import dev.bridle.json.JsonWriter;
import java.util.Optional;

/**
 * Event frames as server-sent events (protocol section "Server-sent events"): {@code id}, {@code
 * event} and {@code data} lines. The frame of an error has an id too: the cursor to resume with, or
 * an empty one, with which readers restart.
 */
final class EventStreamContent implements StreamContent {

  private static final HttpData HISTORY_END = SseFrames.comment("history end");
  private static final HttpData HEARTBEAT = SseFrames.comment("heartbeat");

  private final EncodedEvents<HttpData> frames;
  private final String requestId;
  private String lastEventId;

  /**
   * Creates the content of a stream.
   *
   * @param frames the frames of events, shared with other streams
   * @param after the cursor of the client; empty if there is none
   */
  EventStreamContent(EncodedEvents<HttpData> frames, String requestId, String after) {
    this.frames = frames;
    this.requestId = requestId;
    this.lastEventId = after;
  }

  /** Returns the frames of events, for all streams that use the same JSON encoding. */
  static EncodedEvents<HttpData> frames(JsonWriter json) {
    return new EncodedEvents<>(
        event -> SseFrames.frame(Optional.of(event.getId()), event.getEvent(), json.write(event)));
  }

  @Override
  public ResponseHeaders headers(Optional<Message> first) {
    return SseFrames.HEADERS;
  }

  @Override
  public Optional<HttpData> data(Message message) {
    EventFrame frame = (EventFrame) message;
    return switch (frame.getFrameCase()) {
      case EVENT -> {
        Event event = frame.getEvent();
        lastEventId = event.getId();
        yield Optional.of(frames.of(event));
      }
      case HISTORY_END -> Optional.of(HISTORY_END);
      case ERROR -> {
        lastEventId = frame.getError().getLastEventId();
        yield failure(ProtocolError.of(frame.getError().getError()));
      }
      case FRAME_NOT_SET -> Optional.empty();
    };
  }

  @Override
  public boolean isLast(Message message) {
    return ((EventFrame) message).hasError();
  }

  @Override
  public Optional<HttpData> failure(ProtocolError error) {
    return Optional.of(
        SseFrames.frame(
            Optional.of(lastEventId), "error", ErrorEnvelope.FORMAT.body(error, requestId)));
  }

  @Override
  public Optional<HttpData> heartbeat() {
    return Optional.of(HEARTBEAT);
  }

  @Override
  public CoreStream.Window window() {
    return CoreStream.Window.EVENTS;
  }
}
