package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Json;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a session that goes on. */
final class ContinuedSessionTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
  private static final JsonNode SESSION =
      Json.parse("{\"id\":\"session_1\",\"created_at\":\"2026-01-31T23:05:59.123Z\"}");

  @Test
  void theLineSaysSinceWhenItIsThereAndHowItsLastTaskWent() {
    JsonNode tasks =
        Json.parse(
            "[{\"status\":\"AUTH_REQUIRED\",\"created_at\":\"2026-02-02T10:00:00Z\"},"
                + "{\"status\":\"COMPLETED\",\"created_at\":\"2026-02-01T10:00:00Z\"}]");

    assertThat(ContinuedSession.line(SESSION, tasks, ZONE))
        .isEqualTo(
            "session session_1, goes on: begun 2026-02-01 00:05, last task 2026-02-02 11:00"
                + " (auth required); --new begins another");
    assertThat(ContinuedSession.line(SESSION, Json.parse("[]"), ZONE))
        .contains("begun 2026-02-01 00:05, without a task; --new");
  }

  @Test
  void theCommandThatListsItsTasksNamesTheServer(@TempDir Path data) throws Exception {
    URI url = URI.create("http://127.0.0.1:4711");
    Path key = data.resolve("a key");

    assertThat(ContinuedSession.log(SESSION, new ServerArguments(url, key, Optional.empty())))
        .isEqualTo(
            "what happened in it: bridle task list --session session_1 --url"
                + " http://127.0.0.1:4711 --api-key-file FILE");
    Files.createFile(key);
    assertThat(ContinuedSession.log(SESSION, new ServerArguments(url, key, Optional.of("c.pem"))))
        .endsWith("--ca-cert c.pem --api-key-file '" + key + "'");
  }
}
