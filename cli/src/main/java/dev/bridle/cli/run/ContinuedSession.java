package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What is said of a session that goes on: since when, and what else could be done. */
final class ContinuedSession {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  private ContinuedSession() {}

  /**
   * Returns a line about a session.
   *
   * @param tasks its tasks, the newest first
   * @param zone the zone of the times
   */
  static String line(JsonNode session, JsonNode tasks, ZoneId zone) {
    StringBuilder line =
        new StringBuilder("session ")
            .append(session.path("id").asText())
            .append(", goes on: begun ")
            .append(minute(session.path("created_at"), zone));
    if (tasks.isEmpty()) {
      line.append(", without a task");
    } else {
      JsonNode last = tasks.path(0);
      line.append(", last task ")
          .append(minute(last.path("created_at"), zone))
          .append(" (")
          .append(words(last.path("status").asText()))
          .append(')');
    }
    return line.append("; --new begins another").toString();
  }

  private static String words(String status) {
    return status.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String minute(JsonNode time, ZoneId zone) {
    try {
      return MINUTE.withZone(zone).format(Instant.parse(time.asText()));
    } catch (DateTimeException e) {
      return time.asText();
    }
  }

  /** Returns the line with the command that lists what happened in a session. */
  static String log(JsonNode session, ServerArguments server) {
    return "what happened in it: "
        + server.to("task list --session " + session.path("id").asText());
  }
}
