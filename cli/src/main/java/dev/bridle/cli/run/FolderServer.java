package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The server of a folder, with the agent's worker. Its keys are in the memory of this process. */
final class FolderServer implements AutoCloseable {
  private static final String WORKSPACE = "default";
  private static final Set<String> WORKER = Set.of("workers:lease");

  private final LocalServer server;
  private final RestClient client;
  private final Worker worker;

  private FolderServer(LocalServer server, RestClient client, Worker worker) {
    this.server = server;
    this.client = client;
    this.worker = worker;
  }

  /**
   * Starts both.
   *
   * @param agent the agent's name, for receipts
   * @throws dev.bridle.storage.embedded.OpenRefusedException if another process has the data
   */
  static FolderServer start(Path data, String agent, TaskHandler handler) throws IOException {
    LocalServer server = LocalServer.start(LocalServerOptions.of(data).withoutDemoAgent());
    try {
      // Nobody else knows this actor's key: what it approves, the person at this terminal approved.
      String person = server.credential("terminal-" + UUID.randomUUID(), Set.of("*"));
      Worker worker =
          Worker.builder(server.channel())
              .credentials(server.credential("agent-host", WORKER))
              .handlerFacts(HandlerFacts.of(agent, ""))
              .worksWhileParked()
              .slots(1)
              .handler(handler)
              .build();
      worker.start();
      return new FolderServer(server, new RestClient(server.baseUrl(), person), worker);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  RestClient client() {
    return client;
  }

  String url() {
    return server.baseUrl().toString();
  }

  /** Returns the newest open session of the folder. */
  Optional<String> openSession() {
    JsonNode newest = client.get("/v1/sessions?limit=1&status=open").path("data");
    return newest.isEmpty() ? Optional.empty() : Optional.of(newest.get(0).path("id").asText());
  }

  /** Makes a session. */
  String newSession(String title) {
    return client
        .post(
            "/v1/sessions",
            JsonLines.object().put("workspace_id", WORKSPACE).put("title", title),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  @Override
  public void close() {
    worker.close();
    server.close();
  }
}
