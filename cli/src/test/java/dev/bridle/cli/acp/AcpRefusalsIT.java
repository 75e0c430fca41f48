package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bridle acp} does not do, it says. */
@Tag("slow")
final class AcpRefusalsIT {
  private static final int INVALID_REQUEST = -32600;
  private static final int INVALID_PARAMS = -32602;
  private static final int NOT_FOUND = -32002;
  private static final int AUTH_REQUIRED = -32000;

  @TempDir private static Path directory;
  private static AcpServer server;
  private static Editor editor;

  @BeforeAll
  static void start() throws IOException {
    server = new AcpServer(directory);
    editor = Editor.open(server, "--workspace", "default");
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(editor.terminate()).isZero();
    server.close();
  }

  private static void refused(String method, ObjectNode params, int code, String why) {
    JsonNode error = editor.error(method, params);
    assertThat(error.path("code").asInt()).as("%s", error).isEqualTo(code);
    assertThat(error.path("message").asText()).contains(why);
  }

  @Test
  void linesThatAreNoMessagesAreAnsweredAndEndNothing() {
    editor.send("no JSON");
    editor.send("[]");
    editor.send("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\"}");
    editor.send("{\"jsonrpc\":\"2.0\",\"method\":\"unknown/notice\",\"params\":{}}");
    await().atMost(Editor.PATIENCE).until(() -> editor.received().toString().contains("-32700"));
    await()
        .atMost(Editor.PATIENCE)
        .until(
            () -> editor.received().toString().contains("\"id\":null,\"error\":{\"code\":-32600"));
    refused("session/delete", JsonLines.object(), -32601, "Nobody serves");
    refused("session/new", JsonLines.object(), INVALID_PARAMS, "cwd is missing");
    assertThat(editor.newSession()).isNotEmpty();
  }

  @Test
  void aSessionIsOpenedWithAFolderAndNothingThatWouldNotBeKept() {
    refused("session/new", Editor.place().put("cwd", "work"), INVALID_PARAMS, "absolute path");
    ObjectNode more = Editor.place();
    more.putArray("additionalDirectories").add("/other");
    refused("session/new", more, INVALID_PARAMS, "not supported");
    ObjectNode http = Editor.place();
    http.withArray("mcpServers").addObject().put("type", "http").put("name", "web");
    refused("session/new", http, INVALID_PARAMS, "type http");

    ObjectNode local = Editor.place();
    local.withArray("mcpServers").addObject().put("name", "files").put("command", "mcp");
    String session = editor.result("session/new", local).path("sessionId").asText();
    assertThat(editor.stop(session, "say hello")).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("not connected", "files", "hello");
    editor.stop(session, "say again");
    assertThat(editor.said(session)).containsOnlyOnce("not connected");
  }

  @Test
  void whatATaskCantCarryIsRefusedBeforeThereIsOne() {
    String session = editor.newSession();
    ObjectNode image = JsonLines.object().put("sessionId", session);
    image.putArray("prompt").addObject().put("type", "image").put("data", "AA==");

    refused("session/prompt", image, INVALID_PARAMS, "prompt[0] is image");

    assertThat(server.client().get("/v1/sessions/" + session + "/tasks").path("data")).isEmpty();
  }

  @Test
  void sessionsThatAreNotThereOrNotOpenAreUnknown() throws IOException {
    refused("session/prompt", Editor.words("session_none", "hi"), NOT_FOUND, "no session");
    refused("session/load", Editor.place("session_none"), NOT_FOUND, "no session");
    refused("session/resume", Editor.place("../personas"), NOT_FOUND, "no session");
    refused("session/load", Editor.place(), INVALID_PARAMS, "sessionId is missing");
    String session = editor.newSession();
    editor.result("session/close", JsonLines.object().put("sessionId", session));
    refused("session/prompt", Editor.words(session, "hi"), NOT_FOUND, "no session");
    assertThat(editor.result("session/load", Editor.place(session)).has("modes")).isTrue();

    String other = workspace("other");
    try (Editor elsewhere = Editor.open(server, "--workspace", other)) {
      JsonNode unknown = elsewhere.error("session/load", Editor.place(session));
      JsonNode none = elsewhere.error("session/load", Editor.place("session_none"));
      assertThat(unknown.path("code")).isEqualTo(none.path("code"));
      assertThat(unknown.path("message").asText().replace(session, "session_none"))
          .isEqualTo(none.path("message").asText());
      assertThat(elsewhere.result("session/list", JsonLines.object()).path("sessions")).isEmpty();
      assertThat(elsewhere.newSession()).isNotEmpty();
    }
  }

  private static String workspace(String name) {
    return server
        .client()
        .post(
            "/v1/workspaces",
            JsonLines.object().put("name", name).put("root", name),
            UUID.randomUUID().toString())
        .path("id")
        .asText();
  }

  @Test
  void aTaskThatNoAgentTakesSaysSo() throws IOException {
    String unserved = workspace("unserved");
    try (Editor own = Editor.open(server, "--workspace", unserved)) {
      String session = own.newSession();
      CompletableFuture<JsonNode> prompt = own.prompt(session, "say hello");
      own.awaitSaid(session, "no agent has taken the task yet");
      own.cancel(session);
      assertThat(Editor.stop(prompt)).isEqualTo("cancelled");
    }
  }

  @Test
  void aMissingKeyIsAskedForAndReadOnceItIsThere() throws Exception {
    Path key = directory.resolve("late.key");
    try (Editor late =
        Editor.start(
            directory.resolve("late.log"),
            "--url",
            server.url(),
            "--api-key-file",
            key.toString())) {
      assertThat(late.error("session/new", Editor.place()).path("code").asInt())
          .as("initialize comes first")
          .isEqualTo(INVALID_REQUEST);
      JsonNode methods =
          late.result("initialize", JsonLines.object().put("protocolVersion", 99))
              .path("authMethods");
      assertThat(methods.at("/0/description").asText()).contains("--api-key-file", "can't be read");
      assertThat(late.error("session/new", Editor.place()).path("code").asInt())
          .isEqualTo(AUTH_REQUIRED);
      ObjectNode method = JsonLines.object().put("methodId", methods.at("/0/id").asText());
      Files.writeString(key, "wrong");
      JsonNode refused = late.error("authenticate", method);
      assertThat(refused.path("code").asInt()).isEqualTo(AUTH_REQUIRED);
      assertThat(refused.path("message").asText()).contains("bridle apikey create");

      Files.writeString(key, server.key());
      assertThat(late.result("authenticate", method)).isEmpty();
      assertThat(late.newSession()).isNotEmpty();
      assertThat(late.end()).isZero();
    }
  }

  /** The signal meets the process anywhere on its way out, so there are several. */
  @RepeatedTest(10)
  void theEndOfTheInputAndASignalAtOnceAreNoFailure() throws Exception {
    try (Editor own = Editor.open(server)) {
      assertThat(own.endAndTerminate()).isZero();
    }
  }
}
