package dev.bridle.gateway.socket;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import dev.bridle.event.v1.Event;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.stream.EncodedEvents;
import dev.bridle.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Creates the frames that the gateway sends. Each is an object with a type. */
public final class ServerFrames {

  private static final WebSocketFrame LIVE = simple("live");
  private static final WebSocketFrame HEARTBEAT = simple("heartbeat");

  private final JsonWriter json;
  private final EncodedEvents<WebSocketFrame> live;

  /** Creates frames with the JSON encoding of REST. */
  public ServerFrames(JsonWriter json) {
    this.json = json;
    this.live = new EncodedEvents<>(event -> write(event, false));
  }

  /** Returns an event frame; {@code replayed} marks events stored before the stream became live. */
  WebSocketFrame event(Event event, boolean replayed) {
    return replayed ? write(event, true) : live.of(event);
  }

  private WebSocketFrame write(Event event, boolean replayed) {
    byte[] written = json.write(event);
    return frame(
        "event",
        to -> {
          to.writeBooleanField("replayed", replayed);
          to.writeFieldName("event");
          JsonWriter.raw(written, to);
        });
  }

  /** Returns a request to run a tool, with the members of its event. */
  WebSocketFrame toolRequest(Event event) {
    return frame(
        "tool.request",
        to -> {
          to.writeStringField("task_id", event.getTaskId());
          to.writeStringField("event_id", event.getId());
          to.writeFieldName("call");
          JsonWriter.raw(event.getPayload().toByteArray(), to);
        });
  }

  /** Returns the frame after all stored events have been sent. */
  WebSocketFrame live() {
    return LIVE;
  }

  /** Returns a heartbeat frame. */
  WebSocketFrame heartbeat() {
    return HEARTBEAT;
  }

  /** Returns the reply to a client's ping. */
  WebSocketFrame pong(Optional<String> id) {
    return frame("pong", to -> id(id, to));
  }

  /**
   * Returns the acknowledgment of a command, with the REST response and the names of the members
   * that were ignored.
   */
  WebSocketFrame ack(Optional<String> id, int status, Message result, List<String> ignored) {
    byte[] written = json.write(result);
    return frame(
        "ack",
        to -> {
          id(id, to);
          to.writeNumberField("status", status);
          to.writeFieldName("result");
          JsonWriter.raw(written, to);
          if (!ignored.isEmpty()) {
            to.writeArrayFieldStart("ignored");
            for (String name : ignored) {
              to.writeString(name);
            }
            to.writeEndArray();
          }
        });
  }

  /** Returns the acknowledgment of a resumption at another cursor. */
  WebSocketFrame resumed(Optional<String> id, String lastEventId) {
    return frame(
        "ack",
        to -> {
          id(id, to);
          to.writeNumberField("status", 200);
          to.writeObjectFieldStart("result");
          to.writeStringField("last_event_id", lastEventId);
          to.writeEndObject();
        });
  }

  /** Returns an error reply to a frame. */
  WebSocketFrame error(Optional<String> id, ProtocolError error, String requestId) {
    return frame(
        "error",
        to -> {
          id(id, to);
          ErrorEnvelope.member(error, requestId, to);
        });
  }

  /** Returns the final error of a stream, with the cursor to resume from. */
  WebSocketFrame lastError(ProtocolError error, String requestId, String lastEventId) {
    return frame(
        "error",
        to -> {
          id(Optional.empty(), to);
          ErrorEnvelope.member(error, requestId, to);
          to.writeFieldName("last_event_id");
          text(Optional.of(lastEventId).filter(cursor -> !cursor.isEmpty()), to);
        });
  }

  private static void id(Optional<String> id, JsonGenerator to) throws IOException {
    to.writeFieldName("id");
    text(id, to);
  }

  private static void text(Optional<String> value, JsonGenerator to) throws IOException {
    if (value.isPresent()) {
      to.writeString(value.get());
    } else {
      to.writeNull();
    }
  }

  private static WebSocketFrame simple(String type) {
    return frame(type, to -> {});
  }

  private static WebSocketFrame frame(String type, JsonWriter.Script members) {
    return WebSocketFrame.ofText(
        JsonWriter.bytes(
            to -> {
              to.writeStartObject();
              to.writeStringField("type", type);
              members.write(to);
              to.writeEndObject();
            }));
  }
}
