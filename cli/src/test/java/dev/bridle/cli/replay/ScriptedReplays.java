package dev.bridle.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server whose replays end as a test says: what no real one can be brought to without damage to
 * its data. The replay of {@code task_1} is {@code task_1r}, and that of {@code session_1} is
 * {@code session_1r}.
 */
final class ScriptedReplays implements AutoCloseable {
  private final Map<String, List<String>> events = new HashMap<>();
  private final CountDownLatch followed = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer http;
  private volatile String refreshed = "";
  private String tasks = "{\"data\":[]}";

  ScriptedReplays() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/", this::answer);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Sets the events of the replay of a task or session; a stream with none stays open. */
  void events(String task, String... kindsAndPayloads) {
    List<String> frames = new ArrayList<>();
    for (int i = 0; i < kindsAndPayloads.length; i += 2) {
      ObjectNode event = Json.object().put("event", kindsAndPayloads[i]);
      event.set("payload", Json.parse(kindsAndPayloads[i + 1]));
      frames.add(
          "id: " + i + "\nevent: " + kindsAndPayloads[i] + "\ndata: " + event.toString() + "\n\n");
    }
    events.put(task, frames);
  }

  /** Sets the key of what all replays compute anew. */
  void refreshes(String key) {
    refreshed = ",\"refresh_keys\":[\"" + key + "\"]";
  }

  /** Sets the tasks of the session, newest first. */
  void tasks(JsonNode... newestFirst) {
    ObjectNode page = Json.object();
    page.putArray("data").addAll(List.of(newestFirst));
    tasks = page.toString();
  }

  /** Waits until somebody follows a replay. */
  void awaitFollower() throws InterruptedException {
    followed.await();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String task = path.replaceFirst("^/v1/(?:tasks|sessions)/([^/]*?)r?/.*", "$1");
      if (path.endsWith("/replay")) {
        String origin = "{\"origin_task_id\":\"" + task + "\"" + refreshed + "}";
        send(exchange, 202, "{\"id\":\"" + task + "r\",\"replay\":" + origin + "}");
      } else if (path.endsWith("/stream")) {
        stream(exchange, events.getOrDefault(task, List.of()));
      } else {
        send(exchange, 200, tasks);
      }
    }
  }

  private void stream(HttpExchange exchange, List<String> frames) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    for (String frame : frames) {
      exchange.getResponseBody().write(frame.getBytes(UTF_8));
    }
    exchange.getResponseBody().flush();
    followed.countDown();
    if (frames.isEmpty()) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    closed.countDown();
    http.stop(0);
    threads.shutdownNow();
  }
}
