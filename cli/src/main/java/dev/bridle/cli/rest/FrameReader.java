package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the frames of one server-sent event stream and skips comments. */
final class FrameReader implements AutoCloseable {
  private static final String HEARTBEAT = ": heartbeat";

  private final BufferedReader lines;
  private final Runnable alive;

  /**
   * Creates a reader of a stream.
   *
   * @param alive runs at each event and heartbeat, which show that the stream works
   */
  FrameReader(InputStream stream, Runnable alive) {
    this.alive = alive;
    this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /** Returns the next event, or empty if the stream has ended. Drops an incomplete last frame. */
  Optional<StreamEvent> next() throws IOException {
    String id = "";
    String kind = "message";
    StringBuilder data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (data.length() > 0) {
          if (!kind.equals("error")) {
            alive.run();
          }
          return Optional.of(event(id, kind, data.toString()));
        }
      } else if (line.startsWith(HEARTBEAT)) {
        alive.run();
      } else if (line.startsWith("id:")) {
        id = value(line, 3);
      } else if (line.startsWith("event:")) {
        kind = value(line, 6);
      } else if (line.startsWith("data:")) {
        data.append(data.length() == 0 ? "" : "\n").append(value(line, 5));
      }
    }
    return Optional.empty();
  }

  private static StreamEvent event(String id, String kind, String data) {
    var body =
        JsonLines.parse(data)
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCodes.FAILED, "The stream contains an event that is not JSON."));
    return new StreamEvent(id, kind, body);
  }

  private static String value(String line, int from) {
    return line.startsWith(" ", from) ? line.substring(from + 1) : line.substring(from);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
