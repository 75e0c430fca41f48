package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.WorkerBinding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The workspace of a folder at the user's server, with the agent's worker in this process. */
final class FolderServer implements AutoCloseable {
  /** How many sessions of the folder are looked at, the newest first. */
  private static final int MOST_SESSIONS = 200;

  private static final Set<String> OPEN = Set.of("ACTIVE", "IDLE");

  private final ServerLink link;
  private final RestClient client;
  private final Worker worker;
  private final Path folder;
  private final Path data;
  private final Consumer<String> notices;

  private FolderServer(
      ServerLink link,
      RestClient client,
      Worker worker,
      Path folder,
      Path data,
      Consumer<String> notices) {
    this.notices = notices;
    this.folder = folder;
    this.link = link;
    this.client = client;
    this.worker = worker;
    this.data = data;
  }

  /**
   * Finds or starts the server, and starts the worker, which takes tasks of this folder only.
   *
   * @param agent the agent's name, for receipts
   * @param identity what identifies the agent: its sessions and grants are not another one's
   * @param notices receives messages for the user
   */
  static FolderServer start(
      DetachedServer servers,
      Path folder,
      String agent,
      String identity,
      TaskHandler handler,
      Consumer<String> notices)
      throws IOException, InterruptedException {
    ServerLink link = ServerLink.open(servers, folder, identity, notices);
    try {
      Worker worker =
          Worker.builder(link.channel())
              .credentials(link.workerSecret())
              .agentId(link.workspace())
              .bindings(
                  List.of(WorkerBinding.newBuilder().setWorkspaceId(link.workspace()).build()))
              .handlerFacts(HandlerFacts.of(agent, ""))
              .worksWhileParked()
              .takesMessages()
              .oneTaskPerSession()
              .slots(1)
              .handler(handler)
              .build();
      worker.start();
      RestClient client =
          RestClient.ofKnown(link.url(), link.personSecret(), notices, link.trust());
      return new FolderServer(link, client, worker, folder, servers.data(), notices);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  RestClient client() {
    return client;
  }

  /**
   * Returns a client with the key of the data directory, for what concerns all folders; empty where
   * somebody has started the server by hand and keeps its keys elsewhere.
   */
  Optional<RestClient> ofAllFolders() {
    return Optional.of(arguments())
        .filter(ServerArguments::hasKey)
        .map(
            server ->
                RestClient.ofKnown(
                    link.url(), KeyChoice.ofFile(server.keyFile()), notices, link.trust()));
  }

  /** Returns the actor that answers at this terminal. */
  String person() {
    return link.actor();
  }

  /** Returns the URL of the relay for devices, if there is one. */
  Optional<String> relay() {
    return link.relay();
  }

  /** Returns what names the server in commands at other terminals. */
  ServerArguments arguments() {
    return new ServerArguments(
        link.url(), data.resolve(DetachedServer.KEY_FILE), link.certificateFile());
  }

  /** Returns the command that shows what the folder's last task did. */
  String logCommand() {
    return LogHint.command(folder, data, System.getenv());
  }

  /** Returns the agent's newest open session of the folder. */
  Optional<JsonNode> openSession() {
    AtomicReference<Optional<JsonNode>> newest = new AtomicReference<>(Optional.empty());
    client.rows(
        "/v1/sessions",
        MOST_SESSIONS,
        session -> {
          if (newest.get().isEmpty()
              && OPEN.contains(session.path("state").asText())
              && session.path("persona_id").asText().equals(link.persona())) {
            newest.set(Optional.of(session));
          }
        });
    return newest.get();
  }

  /** Makes a session. */
  String newSession() {
    return client
        .post(
            "/v1/sessions",
            JsonLines.object()
                .put("workspace_id", link.workspace())
                .put("persona_id", link.persona()),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  @Override
  public void close() {
    worker.close();
    link.close();
  }
}
