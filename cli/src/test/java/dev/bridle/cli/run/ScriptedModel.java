package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A model behind the chat interface that many agents speak: it answers each prompt of a user with
 * one call of the agent's shell tool, and each result of a tool with a sentence.
 */
public final class ScriptedModel implements AutoCloseable {
  public static final String LAST_WORDS = "That is all.";
  private static final Set<String> SHELLS = Set.of("bash", "run_shell_command");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger calls = new AtomicInteger();
  private final Queue<JsonNode> requests = new ConcurrentLinkedQueue<>();
  private final String command;

  /** Starts it, with the command that each prompt is answered with. */
  public ScriptedModel(String command) throws IOException {
    this.command = command;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Returns the address that agents are configured with. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  /** Returns the variables by which opencode and qwen find it. */
  public Map<String, String> variables() {
    return Map.of(
        "OPENAI_BASE_URL",
        url(),
        "OPENAI_API_KEY",
        "none",
        "OPENAI_MODEL",
        "scripted",
        "OPENCODE_CONFIG_CONTENT",
        "{\"provider\":{\"scripted\":{\"npm\":\"@ai-sdk/openai-compatible\",\"name\":\"Scripted\","
            + "\"options\":{\"baseURL\":\""
            + url()
            + "\",\"apiKey\":\"none\"},\"models\":{\"scripted\":{\"name\":\"Scripted\"},"
            + "\"other\":{\"name\":\"Other\"}}}},"
            + "\"model\":\"scripted/scripted\",\"small_model\":\"scripted/scripted\"}");
  }

  /** Returns the names of the models that were asked for. */
  public Set<String> asked() {
    return requests.stream()
        .map(request -> request.path("model").asText())
        .collect(Collectors.toSet());
  }

  /** Returns what was said in the conversations that it was sent, by a role, without repetition. */
  public Set<String> said(String role) {
    return requests.stream()
        .flatMap(request -> StreamSupport.stream(request.path("messages").spliterator(), false))
        .filter(message -> message.path("role").asText().equals(role))
        .map(message -> message.path("content"))
        .map(content -> content.isTextual() ? content.textValue() : content.toString())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode request = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
      if (!exchange.getRequestURI().getPath().endsWith("/chat/completions")) {
        send(exchange, "application/json", "{\"object\":\"list\",\"data\":[]}");
        return;
      }
      requests.add(request);
      if (request.path("stream").asBoolean()) {
        stream(exchange, delta(request));
      } else {
        ObjectNode whole = chunk("chat.completion");
        ObjectNode choice = whole.putArray("choices").addObject().put("index", 0);
        choice.set("message", delta(request));
        choice.put("finish_reason", "stop");
        send(exchange, "application/json", whole.toString());
      }
    }
  }

  private ObjectNode delta(JsonNode request) {
    ObjectNode delta = MAPPER.createObjectNode().put("role", "assistant");
    JsonNode last = request.at("/messages/" + (request.path("messages").size() - 1));
    String shell =
        StreamSupport.stream(request.path("tools").spliterator(), false)
            .map(tool -> tool.at("/function/name").asText())
            .filter(SHELLS::contains)
            .findFirst()
            .orElse("");
    if (shell.isEmpty() || !last.path("role").asText().equals("user")) {
      return delta.put("content", LAST_WORDS);
    }
    ObjectNode call =
        delta
            .putArray("tool_calls")
            .addObject()
            .put("index", 0)
            .put("id", "call_" + calls.incrementAndGet())
            .put("type", "function");
    ObjectNode arguments =
        MAPPER
            .createObjectNode()
            .put("command", command)
            .put("description", "As the script says")
            .put("is_background", false);
    call.putObject("function").put("name", shell).put("arguments", arguments.toString());
    return delta;
  }

  private static void stream(HttpExchange exchange, ObjectNode delta) throws IOException {
    StringBuilder events = new StringBuilder();
    boolean calls = delta.has("tool_calls");
    add(events, delta, false, calls);
    add(events, MAPPER.createObjectNode(), true, calls);
    send(exchange, "text/event-stream", events.append("data: [DONE]\n\n").toString());
  }

  private static void add(StringBuilder events, ObjectNode delta, boolean last, boolean calls) {
    ObjectNode chunk = chunk("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    if (last) {
      choice.put("finish_reason", calls ? "tool_calls" : "stop");
    } else {
      choice.putNull("finish_reason");
    }
    events.append("data: ").append(chunk).append("\n\n");
  }

  private static ObjectNode chunk(String object) {
    ObjectNode chunk =
        MAPPER
            .createObjectNode()
            .put("id", "c1")
            .put("object", object)
            .put("created", 1)
            .put("model", "scripted");
    chunk
        .putObject("usage")
        .put("prompt_tokens", 5)
        .put("completion_tokens", 3)
        .put("total_tokens", 8);
    return chunk;
  }

  private static void send(HttpExchange exchange, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", type);
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
