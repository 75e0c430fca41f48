package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.process.BuiltBridle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** An editor with a process of {@code bridle acp}, which answers questions as it is told. */
final class Editor implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String CWD = "/work/project";

  private final Process process;
  private final Path log;
  private final List<JsonNode> received = new CopyOnWriteArrayList<>();
  private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
  private final Map<String, String> choices = new ConcurrentHashMap<>();
  private volatile boolean ended;
  private int ids;

  private Editor(Process process, Path log) {
    this.process = process;
    this.log = log;
    Thread reader = new Thread(this::read, "editor");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the process, without a word. */
  static Editor start(Path log, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("acp"));
    arguments.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(BuiltBridle.java().bridle(arguments));
    builder.environment().keySet().removeIf(name -> name.startsWith("BRIDLE_"));
    return new Editor(
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())).start(), log);
  }

  /** Starts the process with a key, and introduces itself. */
  static Editor open(AcpServer server, String... options) throws IOException {
    return open(server.url(), server.keyFile(), options);
  }

  /** Starts the process for a server, and introduces itself. */
  static Editor open(String url, Path keyFile, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("--url", url, "--api-key-file", keyFile.toString()));
    all.addAll(List.of(options));
    Editor editor = start(keyFile.resolveSibling("acp.log"), all.toArray(String[]::new));
    editor.result("initialize", JsonLines.object().put("protocolVersion", 1));
    return editor;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(JsonLines.parse(line).orElseThrow(() -> new IOException("no JSON on stdout")));
      }
    } catch (IOException e) {
      calls.values().forEach(call -> call.completeExceptionally(e));
    } finally {
      ended = true;
      calls.values().forEach(call -> call.completeExceptionally(new IOException("it has ended")));
    }
  }

  private void take(JsonNode message) {
    received.add(message);
    if (!message.has("method")) {
      CompletableFuture<JsonNode> call = calls.remove(message.path("id").asInt());
      if (call != null) {
        call.complete(message);
      }
    } else if (message.has("id")) {
      String choice = choices.get(message.at("/params/sessionId").asText());
      if (choice != null) {
        answer(message, choice);
      }
    }
  }

  /** Sets the option that a session's questions are answered with from now on. */
  void choose(String session, String option) {
    choices.put(session, option);
  }

  /** Leaves a session's questions open from now on. */
  void chooseNothing(String session) {
    choices.remove(session);
  }

  /** Answers a question by an option, or as cancelled. */
  void answer(JsonNode question, String option) {
    ObjectNode answer = JsonLines.object().put("jsonrpc", "2.0");
    answer.set("id", question.get("id"));
    ObjectNode outcome = answer.putObject("result").putObject("outcome");
    if (option.equals("cancelled")) {
      outcome.put("outcome", "cancelled");
    } else {
      outcome.put("outcome", "selected").put("optionId", option);
    }
    send(answer.toString());
  }

  /** Sends a line. */
  synchronized void send(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized CompletableFuture<JsonNode> call(String method, JsonNode params) {
    int id = ++ids;
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    calls.put(id, answer);
    ObjectNode message =
        JsonLines.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    send(message.set("params", params).toString());
    return answer;
  }

  static JsonNode get(CompletableFuture<JsonNode> call) {
    return call.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  JsonNode result(String method, JsonNode params) {
    JsonNode answer = get(call(method, params));
    assertThat(answer.has("result")).as("%s", answer).isTrue();
    return answer.get("result");
  }

  JsonNode error(String method, JsonNode params) {
    JsonNode answer = get(call(method, params));
    assertThat(answer.has("error")).as("%s", answer).isTrue();
    return answer.get("error");
  }

  static ObjectNode place() {
    ObjectNode params = JsonLines.object().put("cwd", CWD);
    params.putArray("mcpServers");
    return params;
  }

  static ObjectNode place(String session) {
    return place().put("sessionId", session);
  }

  String newSession() {
    return result("session/new", place()).path("sessionId").asText();
  }

  CompletableFuture<JsonNode> prompt(String session, String text) {
    return call("session/prompt", words(session, text));
  }

  static ObjectNode words(String session, String text) {
    ObjectNode params = JsonLines.object().put("sessionId", session);
    params.putArray("prompt").addObject().put("type", "text").put("text", text);
    return params;
  }

  /** Prompts, waits for the end and returns why it is one. */
  String stop(String session, String text) {
    return stop(prompt(session, text));
  }

  static String stop(CompletableFuture<JsonNode> prompt) {
    JsonNode answer = get(prompt);
    assertThat(answer.has("result")).as("%s", answer).isTrue();
    return answer.at("/result/stopReason").asText();
  }

  void cancel(String session) {
    ObjectNode message = JsonLines.object().put("jsonrpc", "2.0").put("method", "session/cancel");
    message.putObject("params").put("sessionId", session);
    send(message.toString());
  }

  /** Cancels the request that was sent last. */
  void cancelLastRequest() {
    ObjectNode message = JsonLines.object().put("jsonrpc", "2.0").put("method", "$/cancel_request");
    message.putObject("params").put("requestId", ids);
    send(message.toString());
  }

  /** Returns what was received so far. */
  List<JsonNode> received() {
    return List.copyOf(received);
  }

  /** Returns the updates of a session so far. */
  List<JsonNode> updates(String session) {
    return received.stream()
        .filter(message -> message.path("method").asText().equals("session/update"))
        .filter(message -> message.at("/params/sessionId").asText().equals(session))
        .map(message -> message.at("/params/update"))
        .toList();
  }

  /** Returns all text of a kind of chunk. */
  String text(String session, String variant) {
    StringBuilder text = new StringBuilder();
    for (JsonNode update : updates(session)) {
      if (update.path("sessionUpdate").asText().equals(variant)) {
        text.append(update.at("/content/text").asText());
      }
    }
    return text.toString();
  }

  String said(String session) {
    return text(session, "agent_message_chunk");
  }

  void awaitSaid(String session, String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(said(session)).contains(text));
  }

  /** Returns the questions of a session so far. */
  List<JsonNode> questions(String session) {
    return received.stream()
        .filter(message -> message.path("method").asText().equals("session/request_permission"))
        .filter(message -> message.at("/params/sessionId").asText().equals(session))
        .toList();
  }

  /** Waits for a question of a session, the first being 1, and returns it. */
  JsonNode question(String session, int number) {
    await("a question")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> questions(session).size() >= number || ended);
    return questions(session).get(number - 1);
  }

  /** Ends the input, waits for the end and returns the exit code. */
  int end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    return exitCode();
  }

  /** Sends a signal and then ends the input, which is how Java ends a process. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Ends the input and sends a signal, the other way round. */
  int endAndTerminate() throws IOException, InterruptedException {
    process.getOutputStream().close();
    process.destroy();
    return exitCode();
  }

  private int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("it ends; see %s", log)
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
