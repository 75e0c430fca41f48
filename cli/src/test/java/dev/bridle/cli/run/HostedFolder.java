package dev.bridle.cli.run;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.IsolationTier;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.task.AgentHost;
import dev.bridle.host.task.HostSettings;
import dev.bridle.host.task.MemoryBudget;
import dev.bridle.host.task.Offers;
import dev.bridle.host.task.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What {@code bridle run} starts for a folder, on threads of this process, without a terminal. The
 * server is a process of its own, which outlives this.
 */
final class HostedFolder implements AutoCloseable {
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final Path data;
  private final AgentLauncher launcher;
  private final AgentHost host;
  private final FolderServer server;

  HostedFolder(Path folder, Path data, Path program) throws Exception {
    RunFolder place = RunFolder.of(folder, Optional.of(data), System.getenv());
    this.data = place.data();
    launcher = AgentLauncher.create(new Spawner(), Optional.of(place.data()), timer);
    host =
        new AgentHost(
            launcher,
            HostSettings.ofPerson(
                AgentStart.unknown(List.of(program.toString()), System.getenv(), Set.of()),
                "test",
                OptionalLong.empty(),
                SessionSettings.NONE),
            Workplace.only(place.folder()),
            MemoryBudget.unlimited(),
            Offers.none(),
            timer,
            agent -> {});
    server =
        FolderServer.start(
            ScriptedProject.detachedServer(place.data()),
            place.folder(),
            "agent",
            program.toString(),
            host,
            System.out::println);
  }

  /** Returns the process of the server. */
  ProcessHandle serverProcess() throws IOException {
    return ServerFile.read(data).flatMap(ServerFile::process).orElseThrow();
  }

  /** Returns the processes that the agent, and what holds it, have now. */
  List<ProcessHandle> agentProcesses() throws IOException {
    ProcessHandle other = serverProcess();
    return ProcessHandle.current().descendants().filter(process -> !process.equals(other)).toList();
  }

  /** Returns no limit of time, for a conversation. */
  TimeLimit unlimited() {
    return new TimeLimit(Optional.empty(), timer);
  }

  RestClient client() {
    return server.client();
  }

  FolderServer server() {
    return server;
  }

  IsolationTier tier() {
    return launcher.isolation().tier();
  }

  String session() {
    return server
        .openSession()
        .map(session -> session.path("id").asText())
        .orElseGet(server::newSession);
  }

  /** Submits a prompt as {@code bridle run} does. */
  String submit(String session, String prompt) {
    ObjectNode body = JsonLines.object();
    body.putObject("input")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", prompt)
        .put("visibility", "public");
    return client()
        .post("/v1/sessions/" + session + "/tasks", body, UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  String status(String task) {
    return client().get("/v1/tasks/" + task).path("status").asText();
  }

  /** Returns the approval in the receipt of the newest task, which has one. */
  JsonNode approvalOfLastTask() {
    String task =
        client().get("/v1/sessions/" + session() + "/tasks?limit=1").at("/data/0/id").asText();
    String receipt = client().get("/v1/tasks/" + task).path("receipt_id").asText();
    return client().get("/v1/receipts/" + receipt).at("/wire/payload/approvals/0");
  }

  /** Waits until a task has a status. */
  void awaitStatus(String task, String status) {
    await(status)
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> status(task).equals(status));
  }

  /** Approves whatever a task asks for now; what is decided meanwhile stays as it is. */
  void approve(String task) {
    for (JsonNode request :
        client().get("/v1/permission-requests?status=pending&task_id=" + task).path("data")) {
      try {
        var unused =
            client()
                .post(
                    "/v1/permission-requests/" + request.path("id").asText() + "/respond",
                    JsonLines.object().put("approved", true),
                    UUID.randomUUID().toString());
      } catch (CommandFailed e) {
        // It was withdrawn.
      }
    }
  }

  /** Approves what a task asks for until it has ended. */
  void approveToTheEnd(String task) {
    await("the end of " + task)
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              approve(task);
              return Set.of("COMPLETED", "FAILED", "CANCELED").contains(status(task));
            });
  }

  @Override
  public void close() {
    host.close();
    server.close();
    timer.shutdownNow();
  }
}
