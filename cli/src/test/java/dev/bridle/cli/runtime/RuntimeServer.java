package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A server process with runtimes of the scripted agent, and a client of it. */
public final class RuntimeServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Path directory;
  private final Path program;
  private final String tenant;
  private ServerProcess process;
  private RestClient client;
  private String workspace = "";

  public RuntimeServer(Path directory) throws IOException {
    this(directory, AgentProgram.make(directory, "agent"));
  }

  /** Creates a server whose runtimes start another program. */
  RuntimeServer(Path directory, Path program) throws IOException {
    this(directory, program, "default");
  }

  private RuntimeServer(Path directory, Path program, String tenant) throws IOException {
    this.directory = directory;
    this.program = program;
    this.tenant = tenant;
    Files.createDirectories(directory.resolve("folders"));
  }

  Path file() {
    return directory.resolve("runtimes.json");
  }

  /** Returns the folder of the workspace. */
  public Path folder() {
    return directory.resolve("folders").resolve(tenant).resolve("work");
  }

  Path log() {
    return directory.resolve("server.log");
  }

  /** Returns the settings of a runtime whose processes live as long as said. */
  public ObjectNode runtime(String scope) {
    ObjectNode runtime = JsonLines.object();
    runtime.putArray("command").add(program.toString());
    return runtime.put("process", scope);
  }

  /**
   * Returns the settings of a runtime for a persona, whose agents have its name as {@code NAME} in
   * their environment.
   */
  ObjectNode runtime(String scope, String name, String persona) {
    ObjectNode runtime = runtime(scope);
    runtime.putObject("env").put("NAME", name);
    runtime.putArray("personas").add(persona);
    return runtime;
  }

  /** Writes the file with one runtime. */
  public void write(ObjectNode runtime) throws IOException {
    write(Map.of("scripted", runtime));
  }

  /** Writes the file with runtimes by their names, in alphabetical order. */
  void write(Map<String, ObjectNode> runtimes) throws IOException {
    ObjectNode all = JsonLines.object();
    all.putObject("runtimes").setAll(new TreeMap<>(runtimes));
    Path fresh = directory.resolve("fresh.json");
    Files.writeString(fresh, all.toString());
    Files.move(fresh, file(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Starts the server, with further options. */
  public void start(String... more) {
    Path key = directory.resolve("data").resolve("api.key");
    List<String> options =
        new ArrayList<>(
            List.of(
                "--data-dir",
                directory.resolve("data").toString(),
                "--api-key-file",
                key.toString(),
                "--http-port",
                "0",
                "--grpc-port",
                "0",
                "--no-demo-agent",
                "--workspace-root",
                directory.resolve("folders").toString(),
                "--runtimes",
                file().toString()));
    options.addAll(List.of(more));
    process = ServerProcess.start(BuiltBridle.java(), log(), options);
    try {
      client = RestClient.ofKnown(process.url(), Files.readString(key).strip(), notice -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public ServerProcess process() {
    return process;
  }

  public RestClient client() {
    return client;
  }

  /** Returns a client with a key of another actor. */
  RestClient clientOf(String actor) {
    return clientOf(actor, tenant);
  }

  /** Returns this server as a new tenant sees it; it is closed with this one. */
  RuntimeServer ofTenant(String other) throws IOException {
    RuntimeServer view = new RuntimeServer(directory, program, other);
    view.process = process;
    view.client = clientOf("owner", other);
    return view;
  }

  private RestClient clientOf(String actor, String of) {
    String key =
        Commands.run(
                0,
                "apikey",
                "create",
                "--actor",
                actor,
                "--tenant",
                of,
                "--data-dir",
                directory.resolve("data").toString())
            .out();
    return RestClient.ofKnown(process.url(), key.strip(), notice -> {});
  }

  /**
   * Creates a persona whose actions people are asked about, and returns its id.
   *
   * @param tools its tools; none stands for all
   */
  String persona(String name, String... tools) {
    ArrayNode named = JsonLines.object().arrayNode();
    List.of(tools).forEach(named::add);
    return client
        .post(
            "/v1/personas",
            JsonLines.object()
                .put("name", name)
                .put("version", "1")
                .put("description", "Takes tasks of its own")
                .put("entry_workflow", "main.harn")
                .put("autonomy_tier", "act_with_approval")
                .put("receipt_policy", "optional")
                .set("tools", named),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  public String session() {
    return session(JsonLines.object());
  }

  /** Creates a session of a persona. */
  String session(String persona) {
    return session(JsonLines.object().put("persona_id", persona));
  }

  private String session(ObjectNode body) {
    if (workspace.isEmpty()) {
      workspace = workspace("folder:work");
    }
    return sessionIn(workspace, body);
  }

  /** Creates a workspace, and returns its id. */
  String workspace(String root) {
    return client
        .post(
            "/v1/workspaces",
            JsonLines.object().put("name", "work").put("root", root),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  /** Creates a session in a workspace. */
  String sessionIn(String id, ObjectNode body) {
    return client
        .post("/v1/sessions", body.put("workspace_id", id), UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  String submit(String session, String prompt) {
    ObjectNode body = JsonLines.object();
    body.putObject("input").put("text", prompt);
    return client
        .post("/v1/sessions/" + session + "/tasks", body, UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  /** Says something to a task: an answer, or a message in a mode. */
  void say(String task, ObjectNode message, String text) {
    message
        .put("kind", "input")
        .putObject("message")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("visibility", "public")
        .put("text", text);
    var unused =
        client.post("/v1/tasks/" + task + "/messages", message, UUID.randomUUID().toString());
  }

  String status(String task) {
    return client.get("/v1/tasks/" + task).path("status").asText();
  }

  void awaitStatus(String task, String status) {
    await(status)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              JsonNode now = client.get("/v1/tasks/" + task);
              assertThat(now.path("status").asText()).as("%s", now).isEqualTo(status);
            });
  }

  /** Waits until a task has ended, and answers what it asks again meanwhile with no. */
  void awaitEnd(String task) {
    await("the end")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              if (!request(task).isMissingNode()) {
                answer(task, false, "");
              }
              return List.of("COMPLETED", "FAILED", "CANCELED").contains(status(task));
            });
  }

  void awaitEvent(String task, String kind) {
    await(kind)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> events(task).toString().contains(kind));
  }

  JsonNode events(String task) {
    return client.get("/v1/tasks/" + task + "/events?limit=200").path("data");
  }

  /** Returns the payloads of the events of a kind. */
  List<String> payloads(String task, String kind) {
    List<String> found = new ArrayList<>();
    for (JsonNode event : events(task)) {
      if (event.path("event").asText().equals(kind)) {
        found.add(event.path("payload").toString());
      }
    }
    return found;
  }

  /** Returns all that the agent has said in a task. */
  String text(String task) {
    StringBuilder text = new StringBuilder();
    for (JsonNode event : events(task)) {
      text.append(event.at("/payload/text").asText());
    }
    return text.toString();
  }

  /** Submits, waits for the end, and returns what the agent said. */
  String said(String session, String prompt) {
    String task = submit(session, prompt);
    awaitStatus(task, "COMPLETED");
    return text(task);
  }

  /** Returns the open request of a task. */
  JsonNode request(String task) {
    return client
        .get("/v1/permission-requests?status=pending&task_id=" + task)
        .path("data")
        .path(0);
  }

  void answer(String task, boolean approved, String reason) {
    ObjectNode answer = JsonLines.object().put("approved", approved);
    if (!reason.isEmpty()) {
      answer.put("reason", reason);
    }
    answer(task, answer);
  }

  void answer(String task, ObjectNode answer) {
    var unused =
        client.post(
            "/v1/permission-requests/" + request(task).path("id").asText() + "/respond",
            answer,
            UUID.randomUUID().toString());
  }

  void answerIfOpen(String task) {
    if (!request(task).isMissingNode()) {
      try {
        answer(task, true, "");
      } catch (CommandFailed e) {
        // It was withdrawn meanwhile.
      }
    }
  }

  void cancel(String task) {
    var unused =
        client.post(
            "/v1/tasks/" + task + "/cancel", JsonLines.object(), UUID.randomUUID().toString());
  }

  void awaitLog(String text) {
    awaitLog(text, 1);
  }

  /** Waits until the server has said something so many times. */
  void awaitLog(String text, int times) {
    await(text)
        .atMost(PATIENCE)
        .until(() -> Files.readString(log()).split(text, -1).length > times);
  }

  /** Returns the command lines of agents that still run. */
  public List<String> agentsLeft() {
    return AgentProgram.left(program);
  }

  /** Returns how many agents run. */
  int agents() {
    return running().size();
  }

  /** Returns the agents that run. */
  Collection<ProcessHandle> running() {
    return AgentProgram.running(program);
  }

  /** Ends the agents as if they had crashed. */
  void killAgents() {
    AgentProgram.running(program).forEach(ProcessHandle::destroyForcibly);
    await("the end of the agents").atMost(PATIENCE).until(() -> agentsLeft().isEmpty());
  }

  @Override
  public void close() {
    if (process.stop() != 0) {
      throw new AssertionError("the server did not stop cleanly");
    }
  }
}
