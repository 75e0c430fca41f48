package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceCommandsIT {
  @TempDir private static Path directory;
  private static Commands commands;
  private static UpThread server;
  private static List<String> at;

  @BeforeAll
  static void start() {
    commands = new Commands(directory);
    server = commands.start("data", "--allow-outbound", "127.0.0.0/8");
    at = commands.at(server.url(), "data");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void whatTheCommandsMakeIsListedShownChangedAndDeleted() throws IOException {
    String quota =
        made(at, "quota", "create", "--scope", "persona", "--limit", "tasks=5", "--json");
    String persona =
        made(
            at,
            "persona",
            "create",
            "--name",
            "Reviewer",
            "--contract-version",
            "1",
            "--entry-workflow",
            "review.harn",
            "--description",
            "Reviews",
            "--autonomy-tier",
            "suggest",
            "--receipt-policy",
            "optional",
            "--set",
            "{\"quota_id\":\"" + quota + "\"}",
            "--json");
    assertThat(said(0, at, "persona", "list").out()).contains(persona, "suggest");
    assertThat(json(said(0, at, "persona", "get", persona, "--json")).get("quota_id"))
        .isEqualTo(Json.parse('"' + quota + '"'));
    assertThat(
            json(said(
                    0, at, "persona", "update", persona, "--set", "{\"quota_id\":null}", "--json"))
                .path("quota_id")
                .isTextual())
        .isFalse();
    String skill =
        made(at, "skill", "create", "--name", "count", "--description", "Counts", "--json");
    assertThat(said(0, at, "skill", "list", "--limit", "1").out()).contains(skill);
    assertThat(said(0, at, "skill", "get", skill).out()).contains(skill, "Counts");
    assertThat(said(0, List.of(), "skill", "get", "--help").out())
        .contains("bridle skill get ID --json");
    assertThat(said(2, at, "skill", "update", skill, "--manifest-file", file("[1]")).err())
        .contains("The manifest in the file is not a JSON object.");
    made(at, "skill", "update", skill, "--body-file", file("Read.\n\u202eall\n"), "--json");
    made(at, "skill", "update", skill, "--manifest-file", file("{\"paths\":[\"src\"]}"), "--json");
    assertThat(said(0, at, "skill", "show", skill).out())
        .contains("count", "manifest paths: [\"src\"]", "│ Read.", "│ ⟨U+202E⟩all");
    assertThat(json(said(0, at, "skill", "show", skill, "--json")).get("body").textValue())
        .isEqualTo("Read.\n\u202eall\n");
    String memory =
        made(
            at,
            "memory",
            "create",
            "--scope",
            "workspace",
            "--owner",
            "default",
            "--text",
            "Friday",
            "--json");
    assertThat(said(0, at, "memory", "list", "--workspace", "default").out())
        .contains(memory, "Friday");
    assertThat(said(0, at, "memory", "delete", memory).out()).contains("is deleted");
    assertThat(said(1, at, "memory", "get", memory).err()).contains("resource_not_found");
    assertThat(said(2, at, "quota", "update", quota, "--set", "[1]").err())
        .contains("expected a JSON object");
  }

  private String file(String content) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "given", ""), content).toString();
  }

  @Test
  void secretsGoIntoVaultsFromFilesAndNeverComeBack() throws IOException {
    Path value = directory.resolve("value");
    Files.writeString(value, "swordfish-7\n");
    List<String> given = new ArrayList<>(at);
    given.addAll(List.of("--value-file", value.toString()));

    String vault = made(at, "vault", "create", "--workspace", "default", "--json");
    List<Commands.Said> said = new ArrayList<>();
    said.add(said(0, given, "vault", "secret", "set", vault, "github"));
    said.add(said(0, given, "vault", "secret", "rotate", vault, "github"));
    said.add(said(1, given, "vault", "secret", "rotate", vault, "gitlab"));
    said.add(said(0, at, "vault", "secret", "list", vault, "--json"));
    said.add(said(0, at, "vault", "get", vault, "--json"));
    said.add(said(0, at, "vault", "list", "--workspace", "default"));
    assertThat(said.get(0).out()).contains("github", "1");
    assertThat(json(said.get(3)).get("version").intValue()).isEqualTo(2);
    assertThat(said.get(5).out()).contains(vault);
    assertThat(said(0, at, "vault", "secret", "delete", vault, "github").out())
        .contains("is deleted");
    assertThat(said(0, at, "vault", "secret", "list", vault).out()).isEmpty();
    assertThat(
            said(0, at, "vault", "update", vault, "--set", "{\"capabilities\":[]}", "--json").out())
        .contains("\"capabilities\":[]");
    said.add(said(1, given, "vault", "secret", "set", vault, "github"));
    assertThat(said.get(6).err()).contains("policy_violation");
    assertThat(said.toString()).doesNotContain("swordfish");
    assertThat(said(1, at, "vault", "get", "vault_none").err()).contains("resource_not_found");
    assertThat(Files.readString(directory.resolve("data.log"))).doesNotContain("swordfish");
  }

  @Test
  void schedulesAreMadeChangedPausedResumedAndDeleted() {
    String schedule =
        made(
            at,
            "schedule",
            "create",
            "--workspace",
            "default",
            "--cron",
            "0 9 * * 1-5",
            "--time-zone",
            "Europe/Berlin",
            "--missed",
            "once",
            "--text",
            "Sum up",
            "--json");
    assertThat(said(0, at, "schedule", "list", "--workspace", "default").out())
        .contains(schedule, "ACTIVE", "Sum up");
    assertThat(json(said(0, at, "schedule", "get", schedule, "--json")).get("cron").textValue())
        .isEqualTo("0 9 * * 1-5");
    assertThat(said(0, at, "schedule", "pause", schedule).out()).contains("PAUSED");
    assertThat(
            said(0, at, "schedule", "update", schedule, "--set", "{\"text\":\"Sum it up\"}").out())
        .contains("PAUSED", "Sum it up");
    assertThat(said(0, at, "schedule", "resume", schedule).out()).contains("ACTIVE");
    assertThat(said(0, at, "schedule", "delete", schedule).out()).contains("is deleted");
    assertThat(said(1, at, "schedule", "get", schedule).err()).contains("resource_not_found");
    assertThat(
            said(2, at, "schedule", "create", "--workspace", "default", "--text", "Sum up").err())
        .contains("Expected exactly one of --cron and --at.");
    assertThat(
            said(
                    1,
                    at,
                    "schedule",
                    "create",
                    "--workspace",
                    "default",
                    "--text",
                    "Sum up",
                    "--at",
                    "2020-01-01T00:00:00Z")
                .err())
        .contains("no time that is still to come");
  }

  @Test
  void filesOfAWorkspaceAreWrittenListedAndRead() throws IOException {
    Path content = directory.resolve("content");
    Files.writeString(content, "één fish\n");
    List<String> given = new ArrayList<>(at);
    given.addAll(List.of("--content-file", content.toString()));

    said(0, given, "workspace", "files", "write", "default", "notes/a.txt");
    assertThat(said(0, at, "workspace", "files", "ls", "default").out())
        .isEqualToIgnoringNewLines("directory  0  notes");
    assertThat(said(0, at, "workspace", "files", "ls", "default", "notes", "--json").out())
        .contains("\"path\":\"notes/a.txt\"");
    assertThat(said(0, at, "workspace", "files", "read", "default", "notes/a.txt").out())
        .isEqualTo("één fish\n");
    assertThat(said(1, at, "workspace", "files", "read", "default", "notes").err())
        .contains("is a directory");
    assertThat(said(1, at, "workspace", "files", "ls", "default", "notes/a.txt").err())
        .contains("is a file");
    assertThat(said(1, given, "workspace", "files", "write", "default", "../a").err())
        .contains("invalid_request at path");
    assertThat(said(0, at, "workspace", "list").out()).contains("default");
  }

  @Tag("slow")
  @Test
  void connectorsAreMadePausedAndTheirDeadLettersSettled() throws IOException {
    Commands.Said shown =
        said(
            0,
            at,
            "connector",
            "create",
            "--workspace",
            "default",
            "--preset",
            "none",
            "--text",
            "{/missing}",
            "--event-kind",
            "delivery",
            "--json");
    String connector = json(shown).get("id").textValue();
    String path = json(shown).at("/webhook/path").textValue();
    assertThat(said(0, at, "connector", "list").out())
        .contains(connector, "ACTIVE")
        .doesNotContain("/v1/ingress/");
    assertThat(said(2, at, "connector", "list", "--workspace").err()).contains("--workspace");

    var client = commands.client(server, "data");
    String delivery =
        client.post(path, Json.object().put("n", 1)).json().get("delivery_id").textValue();
    await()
        .until(
            () ->
                said(0, at, "connector", "delivery", "list", connector, "--status", "failed")
                    .out()
                    .contains(delivery));
    assertThat(
            json(said(0, at, "connector", "delivery", "get", connector, delivery, "--json"))
                .get("body")
                .textValue())
        .isEqualTo("{\"n\":1}");
    assertThat(said(0, at, "connector", "delivery", "drop", connector, delivery).out())
        .contains("DROPPED");
    assertThat(said(1, at, "connector", "delivery", "redeliver", connector, delivery).err())
        .contains("conflict");

    assertThat(said(0, at, "connector", "pause", connector).out()).contains("PAUSED");
    assertThat(client.post(path, Json.object()).status()).isEqualTo(503);
    assertThat(said(0, at, "connector", "resume", connector).out()).contains("ACTIVE");
    assertThat(said(0, at, "connector", "renew-ingress", connector).out())
        .contains(connector, "/v1/ingress/")
        .doesNotContain(path);
    assertThat(said(0, at, "connector", "delete", connector).out()).contains("is deleted");
    assertThat(said(1, at, "connector", "get", connector).err()).contains("resource_not_found");
  }

  @Test
  void sessionsBranchesAndWorkspacesAreMadeShownAndEnded() throws IOException {
    String workspace =
        made(at, "workspace", "create", "--name", "Shop", "--root", "shop", "--json");
    assertThat(said(0, at, "workspace", "list").out()).contains(workspace, "Shop");
    assertThat(said(1, at, "workspace", "create", "--name", "S", "--root", "folder:shop").err())
        .contains("--workspace-root");
    String session = made(at, "session", "create", "--workspace", workspace, "--json");
    for (String words : List.of("one", "two", "the third")) {
      said(0, at, "session", "message", "add", session, "--text", words);
    }
    assertThat(said(0, at, "session", "truncate", session, "--keep-first", "2").out())
        .contains(session + "  2  1");
    assertThat(said(0, at, "session", "message", "list", session).out())
        .contains("one", "two")
        .doesNotContain("the third");
    String fork = json(said(0, at, "session", "fork", session, "--json")).get("id").textValue();
    assertThat(said(0, at, "session", "message", "list", fork).out()).contains("two");
    assertThat(said(0, at, "session", "list", "--workspace", workspace).out())
        .contains(session, fork, "ACTIVE");
    String branch =
        made(at, "branch", "create", session, "--kind", "session", "--base-ref", "main", "--json");
    assertThat(said(0, at, "branch", "list", session).out()).contains(branch, "main");
    assertThat(said(0, at, "branch", "get", branch).out()).contains("session  main");
    assertThat(said(0, at, "session", "close", fork).out()).contains("CLOSED");
    assertThat(said(1, at, "session", "message", "add", fork, "--text", "late").err())
        .contains("conflict");
    assertThat(said(0, at, "tool", "list").out()).isEmpty();
    assertThat(said(0, at, "runtime").out()).contains("bridle ", "host_tools");
  }

  @Test
  void whatATaskWaitsWithIsAnswered() throws IOException {
    var client = commands.client(server, "data");
    String session = made(at, "session", "create", "--workspace", "default", "--json");
    String asking = submitted(client, session, "{\"ask\":\"Which text?\"}");
    awaitStatus(at, asking, "INPUT_REQUIRED");
    assertThat(said(2, at, "task", "answer", asking).err()).contains("--text");
    assertThat(said(0, at, "task", "answer", asking, "--text", "red fish").out())
        .contains("answered");
    awaitStatus(at, asking, "COMPLETED");

    String persona =
        made(
            at,
            "persona",
            "create",
            "--name",
            "Editor",
            "--contract-version",
            "1",
            "--entry-workflow",
            "edit.harn",
            "--description",
            "Edits",
            "--autonomy-tier",
            "act_auto",
            "--receipt-policy",
            "optional",
            "--json");
    String editing =
        made(at, "session", "create", "--workspace", "default", "--persona", persona, "--json");
    String hosted =
        submitted(client, editing, "{\"host_tool\":{\"name\":\"open_file\",\"input\":{}}}");
    awaitStatus(at, hosted, "INPUT_REQUIRED");
    String call = "";
    for (JsonNode event : client.get("/v1/tasks/" + hosted + "/events").json().get("data")) {
      if (event.get("event").textValue().equals("tool.requested")) {
        call = event.at("/payload/tool_call_id").textValue();
      }
    }
    assertThat(said(2, at, "task", "answer", hosted, "--call", call, "--result", "red fish").err())
        .contains("expected JSON");
    said(0, at, "task", "answer", hosted, "--call", call, "--result", "\"red fish\"");
    awaitStatus(at, hosted, "COMPLETED");
  }

  @Test
  void anActionIsApprovedWithOtherArgumentsFromAFile() throws IOException {
    var client = commands.client(server, "data");
    String session = made(at, "session", "create", "--workspace", "default", "--json");
    String acting =
        submitted(
            client,
            session,
            "{\"act\":{\"arguments\":{\"path\":\"a\"},\"metadata\":{\"why\":\"a\u202eb\"}}}");
    awaitStatus(at, acting, "AUTH_REQUIRED");
    String request =
        client
            .get("/v1/tasks/" + acting + "/permission-requests")
            .json()
            .at("/data/0/id")
            .textValue();
    assertThat(said(0, at, "permission", "show", request).out())
        .contains("the agent says why: a⟨U+202E⟩b", "an answer may replace: arguments");
    assertThat(said(2, at, "permission", "approve", request, "--arguments-file", file("[]")).err())
        .contains("not a JSON object");
    assertThat(said(2, at, "permission", "deny", request, "--arguments-file", "x").err())
        .contains("Unknown option");
    assertThat(
            said(
                    1,
                    at,
                    "permission",
                    "approve",
                    request,
                    "--grant",
                    "this_tool",
                    "--arguments-file",
                    file("{\"path\":\"b\"}"))
                .err())
        .contains("invalid_request at arguments");

    said(0, at, "permission", "approve", request, "--arguments-file", file("{\"path\":\"b\"}"));

    awaitStatus(at, acting, "COMPLETED");
    assertThat(said(0, at, "permission", "show", request).out())
        .contains("approved", "with other arguments: {\"path\":\"b\"}");
  }

  private static String submitted(ProtocolClient client, String session, String input) {
    var body = Json.object();
    body.set("input", Json.parse(input));
    return client.post("/v1/sessions/" + session + "/tasks", body).json().get("id").textValue();
  }

  private static void awaitStatus(List<String> at, String task, String status) {
    await().until(() -> said(0, at, "task", "get", task).out().contains(status));
  }

  @Tag("slow")
  @Test
  void connectorsPollWhenToldAndDeadLettersOfAllAreListed() throws IOException {
    HttpServer news =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    news.createContext(
        "/",
        exchange -> {
          byte[] body = "[{\"id\":7}]".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    news.start();
    try {
      String url = "http://127.0.0.1:" + news.getAddress().getPort() + "/news";
      assertThat(said(2, at, "connector", "create", "--workspace", "default", "--text", "x").err())
          .contains("--preset (webhooks), --poll");
      String connector =
          made(
              at,
              "connector",
              "create",
              "--workspace",
              "default",
              "--poll",
              url,
              "--cron",
              "0 7 1 1 *",
              "--zone",
              "Europe/Berlin",
              "--items",
              "",
              "--item-id",
              "/id",
              "--initial",
              "all",
              "--text",
              "{/missing}",
              "--json");
      assertThat(said(0, at, "connector", "list").out()).contains(connector, "ACTIVE", url);

      assertThat(said(0, at, "connector", "poll", connector).out()).contains(connector);

      await()
          .until(
              () -> said(0, at, "connector", "delivery", "list").out().contains("mapping_failed"));
      assertThat(said(0, at, "connector", "delivery", "list", "--workspace", "default").out())
          .contains(connector);
      assertThat(said(2, at, "connector", "delivery", "list", "--status", "done").err())
          .contains("Without a connector");
    } finally {
      news.stop(0);
    }
  }

  private static String made(List<String> at, String... arguments) {
    return json(said(0, at, arguments)).get("id").textValue();
  }

  private static JsonNode json(Commands.Said said) {
    return Json.parse(said.out().strip());
  }

  private static Commands.Said said(int exitCode, List<String> at, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(at);
    return run(exitCode, all.toArray(String[]::new));
  }
}
