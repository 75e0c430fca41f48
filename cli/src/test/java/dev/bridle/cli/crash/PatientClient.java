package dev.bridle.cli.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Sends each request until it has an answer, as a client does that was promised safe retries. */
final class PatientClient {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final ProtocolClient client;

  PatientClient(ProtocolClient client) {
    this.client = client;
  }

  ProtocolClient plain() {
    return client;
  }

  Answer post(String path, JsonNode body, String key) {
    return send(client.call("POST", path).withBody(body).withKey(key));
  }

  JsonNode read(String path) {
    Answer answer = send(client.call("GET", path));
    if (answer.status() != 200) {
      throw new AssertionError("what was acknowledged can't be read: " + answer);
    }
    return answer.json();
  }

  /** Reads all rows of a list or of an event range. */
  List<JsonNode> all(String path, String cursorName) {
    List<JsonNode> rows = new ArrayList<>();
    String join = path.contains("?") ? "&" : "?";
    String cursor = "";
    while (true) {
      JsonNode page = read(path + join + "limit=200" + cursor);
      page.get("data").forEach(rows::add);
      if (!page.at("/page/has_more").booleanValue()) {
        return rows;
      }
      cursor = "&" + cursorName + "=" + page.at("/page/next_cursor").textValue();
    }
  }

  static JsonNode message(String text) {
    var message = Json.object().put("role", "user");
    message.set(
        "parts",
        Json.array(
            Json.object().put("type", "text").put("text", text).put("visibility", "public")));
    return message;
  }

  private Answer send(Call call) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      try {
        Answer answer = client.send(call);
        if (answer.status() < 500) {
          return answer;
        }
        if (answer.status() == 500 || System.nanoTime() > end) {
          throw new AssertionError("no good answer: " + answer);
        }
      } catch (UncheckedIOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
