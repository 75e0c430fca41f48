package dev.bridle.gateway.kit.stream;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Encodes server-sent events: {@code id}, {@code event} and {@code data} lines. Comments end with
 * one line feed, so that no reader treats them as a frame without data.
 */
public final class SseFrames {

  /** The content type of event streams. */
  public static final MediaType TYPE = MediaType.EVENT_STREAM;

  /** The headers of event streams. */
  public static final ResponseHeaders HEADERS =
      ResponseHeaders.builder(HttpStatus.OK)
          .contentType(TYPE.withCharset(StandardCharsets.UTF_8))
          .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
          // Disables buffering in proxies.
          .set("x-accel-buffering", "no")
          .build();

  private SseFrames() {}

  /**
   * Returns the frame of an event.
   *
   * @param id the event's id; a frame without one does not change the id that readers resume with
   * @param event the type of the event
   * @param json a JSON document, which this method may change
   */
  public static HttpData frame(Optional<String> id, String event, byte[] json) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(json.length + 96);
    id.ifPresent(given -> frame.writeBytes(line("id: ", given)));
    frame.writeBytes(line("event: ", event));
    frame.writeBytes("data: ".getBytes(StandardCharsets.US_ASCII));
    // Free-form JSON keeps its white space; a line break would end the data line.
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        json[i] = ' ';
      }
    }
    frame.writeBytes(json);
    frame.write('\n');
    frame.write('\n');
    return HttpData.wrap(frame.toByteArray());
  }

  /** Returns a comment, which readers skip. */
  public static HttpData comment(String text) {
    return HttpData.ofUtf8(": " + text + "\n");
  }

  private static byte[] line(String field, String value) {
    boolean broken = value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0;
    String safe = broken ? value.replace('\n', ' ').replace('\r', ' ') : value;
    return (field + safe + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
