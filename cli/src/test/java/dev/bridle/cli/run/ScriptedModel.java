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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A model behind the interfaces that agents speak: it answers each prompt of a user with one call
 * of a tool of the agent's, and each result of a tool with a sentence.
 */
public final class ScriptedModel implements AutoCloseable {
  public static final String LAST_WORDS = "That is all.";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<ModelDialect> DIALECTS =
      List.of(
          new ChatDialect(), new MessagesDialect(), new GeminiDialect(), new ResponsesDialect());

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger calls = new AtomicInteger();
  private final Queue<JsonNode> requests = new ConcurrentLinkedQueue<>();
  private final ModelScript script;

  /** Starts it, with the command that each prompt is answered with. */
  public ScriptedModel(String command) throws IOException {
    this(ModelScript.command(command));
  }

  /** Starts it, with what it does about each prompt. */
  ScriptedModel(ModelScript script) throws IOException {
    this.script = script;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Returns the address that agents are configured with which add no version to it. */
  public String url() {
    return root() + "/v1";
  }

  /** Returns the address that agents are configured with which add a version to it. */
  String root() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
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
      byte[] sent = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      Optional<ModelDialect> dialect =
          DIALECTS.stream().filter(one -> one.serves(path)).findFirst();
      if (dialect.isPresent()) {
        JsonNode body = MAPPER.readTree(sent);
        requests.add(body);
        send(exchange, answer(dialect.get(), new ModelDialect.Request(path, body)));
      } else {
        send(exchange, ModelDialect.Answer.json(besides()));
      }
    }
  }

  /** Returns what is asked beside prompts: the models there are, and how long a text is. */
  private static JsonNode besides() {
    ObjectNode none = MAPPER.createObjectNode().put("object", "list");
    none.putArray("data");
    none.putArray("models");
    return none.put("input_tokens", 5).put("totalTokens", 5);
  }

  private ModelDialect.Answer answer(ModelDialect dialect, ModelDialect.Request request) {
    Optional<ToolUse> use =
        dialect.isPrompted(request.body())
            ? script.use(dialect.tools(request.body()))
            : Optional.empty();
    return use.map(one -> dialect.call(request, calls.incrementAndGet(), one))
        .orElseGet(() -> dialect.say(request, LAST_WORDS));
  }

  private static void send(HttpExchange exchange, ModelDialect.Answer answer) throws IOException {
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", answer.type());
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
