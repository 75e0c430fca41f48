package dev.bridle.cli.audit;

import static dev.bridle.cli.audit.PlantedContent.ALL;
import static dev.bridle.cli.audit.PlantedContent.marker;
import static dev.bridle.cli.audit.PlantedContent.spell;
import static dev.bridle.cli.process.Commands.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import dev.bridle.fixtures.client.SseStream;
import dev.bridle.fixtures.facts.FactsChecker;
import dev.bridle.fixtures.facts.PublishedFacts;
import dev.bridle.message.v1.Part;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Markers enter in each kind of content at each visibility; then they are looked for in every byte
 * that a normal caller, one with the scope for internal content, a worker and a webhook's receiver
 * got, in the log and in an export.
 */
@Tag("slow")
final class VisibilityIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final List<String> NORMAL =
      List.of(
          "sessions:read",
          "sessions:write",
          "tasks:read",
          "tasks:write",
          "events:read",
          "artifacts:read",
          "artifacts:write",
          "memories:read",
          "memories:write",
          "webhooks:write",
          "receipts:read",
          "receipts:write",
          "workspaces:read");

  @TempDir private Path directory;
  private final FactsChecker published = new FactsChecker(PublishedFacts.load().shapes());
  private final PlantedContent planted = new PlantedContent();
  private final List<String> normalBytes = new ArrayList<>();
  private final List<String> internalBytes = new ArrayList<>();
  private final List<String> webhookBytes = new CopyOnWriteArrayList<>();
  private final List<String> workerBytes = new CopyOnWriteArrayList<>();
  private final List<ErrorCode> refusedDownloads = new CopyOnWriteArrayList<>();
  private final Map<String, String> givenArtifacts = new LinkedHashMap<>();
  private LocalServer server;
  private ProtocolClient normal;
  private ProtocolClient internal;

  @Test
  void contentIsShownToThoseAloneWhoMaySeeIt() throws IOException {
    HttpServer receiver = receiver();
    try (LogLines log = new LogLines()) {
      try (LocalServer started = LocalServer.start(options())) {
        server = started;
        normal = new ProtocolClient(server.baseUrl(), key("ben", NORMAL));
        List<String> more = new ArrayList<>(NORMAL);
        more.add("content:internal");
        internal = new ProtocolClient(server.baseUrl(), key("ida", more));
        webhook(receiver);
        work();
        export();
      }
      checkStorage();
      planted.holdsNothingBut("the log", log.all(), List.of());
      assertThat(log.all()).hasSizeGreaterThan(10);
    } finally {
      receiver.stop(0);
    }
    List<Visibility> shown = List.of(Visibility.VISIBILITY_PUBLIC);
    planted.holdsNothingBut("a normal caller", normalBytes, shown);
    planted.holdsNothingBut("a webhook's receiver", webhookBytes, shown);
    planted.holdsNothingBut(
        "a caller with the scope",
        internalBytes,
        List.of(Visibility.VISIBILITY_PUBLIC, Visibility.VISIBILITY_INTERNAL));
    planted.holdsAll("a normal caller", normalBytes, Visibility.VISIBILITY_PUBLIC);
    planted.holdsAll("a caller with the scope", internalBytes, Visibility.VISIBILITY_PUBLIC);
    planted.holdsAll("a caller with the scope", internalBytes, Visibility.VISIBILITY_INTERNAL);
    assertThat(webhookBytes).anyMatch(body -> body.contains("input-text-public"));
    for (Visibility visibility : ALL) {
      for (String content : List.of("input-text", "answer-text", "artifact-content")) {
        String marker = marker(content, visibility);
        assertThat(workerBytes).as("the worker").anyMatch(text -> text.contains(marker));
      }
    }
    assertThat(refusedDownloads)
        .as("of another session, internal and for receipts")
        .containsExactly(
            ErrorCode.ERROR_CODE_PERMISSION_DENIED, ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  private void work() throws IOException {
    String session =
        made(normal, "/v1/sessions", Json.object().put("workspace_id", "default"))
            .get("id")
            .textValue();
    String elsewhere =
        made(normal, "/v1/sessions", Json.object().put("workspace_id", "default"))
            .get("id")
            .textValue();
    for (Visibility visibility : ALL) {
      givenArtifacts.put("given " + visibility, artifact(session, visibility));
    }
    for (Visibility visibility : ALL.subList(1, 3)) {
      givenArtifacts.put("elsewhere " + visibility, artifact(elsewhere, visibility));
      memory(session, visibility);
    }
    memory(session, Visibility.VISIBILITY_PUBLIC);
    String messages = "/v1/sessions/" + session + "/messages";
    ObjectNode message = Json.object();
    message.set("message", planted.message("user", "session"));
    Call append = normal.call("POST", messages).withBody(message).withKey("the same");
    String messageId = seen(normal, normal.send(append)).json().get("id").textValue();
    assertThat(seen(normal, normal.send(append)).json().get("id").textValue()).isEqualTo(messageId);

    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
    try (SseStream ofNormal = normal.stream("/v1/events/stream");
        SseStream ofInternal = internal.stream("/v1/events/stream");
        Worker worker = worker(channel)) {
      worker.start();
      String task = task(session);
      seen(normal, normal.get("/v1/tasks/" + task));
      wrong(session, task);
      await()
          .atMost(PATIENCE)
          .until(() -> webhookBytes.stream().anyMatch(body -> body.contains("task.completed")));
      for (SseStream stream : List.of(ofNormal, ofInternal)) {
        await()
            .atMost(PATIENCE)
            .until(
                () -> stream.frames().stream().anyMatch(f -> f.event().equals("task.completed")));
      }
      ofNormal.frames().forEach(frame -> normalBytes.add(frame.data()));
      ofInternal.frames().forEach(frame -> internalBytes.add(frame.data()));
      readAll(session, task, messageId);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Submits a task by a WebSocket's session, and answers its question there. */
  private String task(String session) {
    ObjectNode body = Json.object();
    body.set("input", planted.message("user", "input"));
    JsonNode task = made(normal, "/v1/sessions/" + session + "/tasks", body);
    String id = task.get("id").textValue();
    try (SocketStream socket = normal.socket("/v1/tasks/" + id + "/stream");
        SocketStream other = internal.socket("/v1/tasks/" + id + "/stream")) {
      socket.untilEvent("task.input_required", PATIENCE);
      ObjectNode frame = Json.object().put("type", "task.message").put("id", "answer");
      frame.put("idempotency_key", "answer-" + id);
      frame
          .putObject("body")
          .put("kind", "input")
          .set("message", planted.message("user", "answer"));
      JsonNode ack = socket.ask(frame, PATIENCE);
      assertThat(ack.get("type").textValue()).as("%s", ack).isEqualTo("ack");
      socket.untilEvent("task.completed", PATIENCE);
      other.untilEvent("task.completed", PATIENCE);
      socket.frames().forEach(one -> normalBytes.add(one.toString()));
      other.frames().forEach(one -> internalBytes.add(one.toString()));
    }
    return id;
  }

  /** Reads with both keys whatever may show content, and holds it against the protocol. */
  private void readAll(String session, String task, String message) {
    String fork =
        made(normal, "/v1/sessions/" + session + "/fork", Json.object()).get("id").textValue();
    for (ProtocolClient client : List.of(normal, internal)) {
      fits(client, "/v1/tasks/" + task, "Task");
      fits(client, "/v1/messages/" + message, "Message");
      fits(client, "/v1/tasks?session_id=" + session, "TaskList");
      for (String of : List.of(session, fork)) {
        fits(client, "/v1/sessions/" + of + "/messages?limit=200", "MessageList");
        fits(client, "/v1/sessions/" + of + "/events?limit=200", "EventList");
      }
      fits(client, "/v1/tasks/" + task + "/events?limit=200", "EventList");
      fits(client, "/v1/events?limit=200", "EventList");
      fits(client, "/v1/artifacts?limit=200", "ArtifactList");
      fits(client, "/v1/memories?limit=200", "MemoryList");
      JsonNode outcomes = fits(client, "/v1/outcomes?task_id=" + task, "OutcomeList");
      fits(client, "/v1/outcomes/" + outcomes.at("/data/0/id").textValue(), "Outcome");
      for (JsonNode one : fits(client, "/v1/memories", "MemoryList").get("data")) {
        fits(client, "/v1/memories/" + one.get("id").textValue(), "Memory");
      }
      for (JsonNode one : fits(client, "/v1/artifacts?limit=200", "ArtifactList").get("data")) {
        String path = "/v1/artifacts/" + one.get("id").textValue();
        fits(client, path, "Artifact");
        Answer content = seen(client, client.get(path + "/content"));
        boolean sees =
            one.get("visibility").textValue().equals("public")
                || (client.equals(internal)
                    && one.get("visibility").textValue().equals("internal"));
        assertThat(content.status()).as("%s", one).isEqualTo(sees ? 200 : 403);
        assertThat(one.has("redacted")).as("%s", one).isEqualTo(!sees);
        Answer receipt = seen(client, client.post(path + "/receipt", Json.object()));
        assertThat(receipt.status()).as("%s", receipt).isBetween(200, 422);
      }
      for (String receipts :
          List.of("/v1/tasks/" + task + "/receipts", "/v1/receipts", "/v1/receipt-export")) {
        assertThat(seen(client, client.get(receipts)).text()).contains("artifact_id");
      }
    }
  }

  /** Requests that fail, with hidden content in them or about it. */
  private void wrong(String session, String task) {
    ObjectNode late = Json.object().put("kind", "input");
    late.set("message", planted.message("user", "late"));
    seen(normal, normal.post("/v1/tasks/" + task + "/messages", late));
    ObjectNode reused = Json.object();
    reused.set("message", planted.message("user", "reused"));
    Call same =
        normal
            .call("POST", "/v1/sessions/" + session + "/messages")
            .withBody(reused)
            .withKey("the same");
    assertThat(seen(normal, normal.send(same)).status()).isEqualTo(409);
    ObjectNode bad = Json.object();
    ObjectNode wrong = planted.message("nobody", "wrong");
    ((ObjectNode) wrong.get("parts").get(0))
        .put("redacted", planted.plant("wrong-redacted", ALL.get(1)));
    bad.set("message", wrong);
    assertThat(seen(normal, normal.post("/v1/sessions/" + session + "/messages", bad)).status())
        .isEqualTo(400);
    ObjectNode cut = Json.object();
    cut.set("message", planted.message("user", "cut"));
    String half = cut.toString().substring(0, cut.toString().length() / 2);
    assertThat(
            seen(
                    normal,
                    normal.send(
                        normal
                            .call("POST", "/v1/sessions/" + session + "/messages")
                            .withBody(half)))
                .status())
        .isEqualTo(400);
  }

  private Worker worker(ManagedChannel channel) throws IOException {
    return Worker.builder(channel)
        .credentials(key("keeper", List.of("workers:lease", "artifacts:read")))
        .agentId("keeper")
        .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
        .handler(this::handle)
        .build();
  }

  private TaskResult handle(TaskContext task) {
    workerBytes.add(task.input().message().orElseThrow().toString());
    for (Map.Entry<String, String> given : givenArtifacts.entrySet()) {
      if (given.getKey().startsWith("given")) {
        workerBytes.add(new String(task.download(given.getValue(), 1000), UTF_8));
      } else if (refusedDownloads.size() < 2) {
        CallRefused refused =
            catchThrowableOfType(CallRefused.class, () -> task.download(given.getValue(), 1000));
        refusedDownloads.add(refused.code());
      }
    }
    workerBytes.add(task.requestInput("ask", "What else?").toString());
    TaskResult result = TaskResult.of("done");
    for (Visibility visibility : ALL) {
      String name = visibility.name();
      task.message("message " + name, List.of(planted.part("agent-message", visibility)));
      Artifact made =
          task.artifact(
              "artifact " + name,
              ArtifactKind.ARTIFACT_KIND_LOG,
              planted.plant("reported-mime", visibility),
              planted.content("reported-content", visibility),
              visibility);
      result = result.withArtifact(made);
      String marker =
          visibility == Visibility.VISIBILITY_PUBLIC
              ? planted.plant("event", visibility)
              : planted.plant("event", Visibility.VISIBILITY_RECEIPT_ONLY); // No route shows it.
      task.event(
          "event " + name, "agent.reasoning_summary", Json.object().put("a", marker), visibility);
    }
    return result.withMessage(
        ALL.stream()
            .map(visibility -> planted.part("last-message", visibility))
            .toArray(Part[]::new));
  }

  private String artifact(String session, Visibility visibility) {
    ObjectNode body =
        Json.object()
            .put("kind", "file")
            .put("session_id", session)
            .put("mime_type", planted.plant("artifact-mime", visibility))
            .put("uri", "https://example.invalid/" + planted.plant("artifact-uri", visibility))
            .put("visibility", spell(visibility));
    body.putObject("metadata").put("a", planted.plant("artifact-metadata", visibility));
    String id = made(normal, "/v1/artifacts", body).get("id").textValue();
    byte[] content = planted.content("artifact-content", visibility);
    Call put = normal.call("PUT", "/v1/artifacts/" + id + "/content");
    assertThat(
            seen(normal, normal.send(put.withBody(content, "application/octet-stream"))).status())
        .isEqualTo(200);
    return id;
  }

  private void memory(String session, Visibility visibility) {
    ObjectNode body =
        Json.object()
            .put("scope", "session")
            .put("owner_id", session)
            .put("content", planted.plant("memory", visibility))
            .put("embedding_ref", planted.plant("memory-embedding", visibility))
            .put("visibility", spell(visibility));
    body.putObject("provenance").put("a", planted.plant("memory-provenance", visibility));
    body.putObject("metadata").put("a", planted.plant("memory-metadata", visibility));
    made(normal, "/v1/memories", body);
  }

  private void webhook(HttpServer receiver) {
    ObjectNode body = Json.object().put("workspace_id", "default");
    body.put("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/in");
    made(normal, "/v1/webhooks", body);
  }

  private HttpServer receiver() throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          try (exchange) {
            webhookBytes.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(204, -1);
          }
        });
    receiver.start();
    return receiver;
  }

  private void checkStorage() {
    try (EmbeddedStore store = EmbeddedStore.open(data(), EmbeddedOptions.DEFAULT)) {
      assertThat(
              new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                  .check(CheckProgress.SILENT)
                  .findings())
          .isEmpty();
    }
  }

  /** The operator takes everything along: an export is no way to show content to others. */
  private void export() {
    Path export = directory.resolve("export");
    run(
        0,
        "export",
        "--data-dir",
        data().toString(),
        "--tenant",
        "default",
        "--output",
        export.toString());
    String all = new String(StoredBytes.read(export), UTF_8);
    for (Visibility visibility : ALL) {
      assertThat(all).contains(marker("input-text", visibility));
    }
  }

  private JsonNode fits(ProtocolClient client, String path, String schema) {
    Answer answer = seen(client, client.get(path));
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    assertThat(published.differences(answer.json(), schema)).as(path).isEmpty();
    return answer.json();
  }

  private JsonNode made(ProtocolClient client, String path, ObjectNode body) {
    Answer answer = seen(client, client.post(path, body));
    assertThat(answer.status()).as("%s", answer).isBetween(201, 202);
    return answer.json();
  }

  private Answer seen(ProtocolClient client, Answer answer) {
    (client.equals(internal) ? internalBytes : normalBytes)
        .add(answer.headers().map() + answer.text());
    return answer;
  }

  private String key(String actor, List<String> scopes) throws IOException {
    return AdminAccess.stub(server.channel(), data())
        .createApiKey(CreateApiKeyRequest.newBuilder().setActor(actor).addAllScopes(scopes).build())
        .getSecret();
  }

  private LocalServerOptions options() {
    LocalServerOptions options = LocalServerOptions.of(data());
    return options.withCore(
        options
            .core()
            .withOutbound(
                OutboundOptions.DEFAULT.withAllowed(List.of(AddressRange.parse("127.0.0.1")))));
  }

  private Path data() {
    return directory.resolve("data");
  }
}
