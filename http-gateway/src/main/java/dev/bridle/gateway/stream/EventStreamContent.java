package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.stream.StreamContent;
import dev.bridle.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Event frames as server-sent events (protocol section "Server-sent events"): {@code id}, {@code
 * event} and {@code data} lines. The frame of an error has an id too: the cursor to resume with, or
 * an empty one, with which readers restart. Comments end with one line feed, so that no reader
 * treats them as a frame without data.
 */
final class EventStreamContent implements StreamContent {

  static final MediaType TYPE = MediaType.EVENT_STREAM;

  private static final ResponseHeaders HEADERS =
      ResponseHeaders.builder(HttpStatus.OK)
          .contentType(TYPE.withCharset(StandardCharsets.UTF_8))
          .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
          // Disables buffering in proxies.
          .set("x-accel-buffering", "no")
          .build();
  private static final HttpData HISTORY_END = comment("history end");
  private static final HttpData HEARTBEAT = comment("heartbeat");

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
    return new EncodedEvents<>(event -> frame(event.getId(), event.getEvent(), json.write(event)));
  }

  @Override
  public ResponseHeaders headers(Optional<Message> first) {
    return HEADERS;
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
    return Optional.of(frame(lastEventId, "error", ErrorEnvelope.FORMAT.body(error, requestId)));
  }

  @Override
  public Optional<HttpData> heartbeat() {
    return Optional.of(HEARTBEAT);
  }

  private static HttpData frame(String id, String event, byte[] data) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(data.length + 96);
    frame.writeBytes(line("id: ", id));
    frame.writeBytes(line("event: ", event));
    frame.writeBytes("data: ".getBytes(StandardCharsets.US_ASCII));
    // Free-form JSON keeps its white space; a line break would end the data line.
    for (int i = 0; i < data.length; i++) {
      if (data[i] == '\n' || data[i] == '\r') {
        data[i] = ' ';
      }
    }
    frame.writeBytes(data);
    frame.write('\n');
    frame.write('\n');
    return HttpData.wrap(frame.toByteArray());
  }

  private static byte[] line(String field, String value) {
    boolean broken = value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0;
    String safe = broken ? value.replace('\n', ' ').replace('\r', ' ') : value;
    return (field + safe + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static HttpData comment(String text) {
    return HttpData.ofUtf8(": " + text + "\n");
  }
}
