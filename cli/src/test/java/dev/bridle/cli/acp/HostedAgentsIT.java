package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.runtime.RuntimeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An editor drives an agent that the server starts: the protocol on both sides of the server. */
@Tag("slow")
final class HostedAgentsIT {
  @TempDir private static Path directory;
  private static RuntimeServer server;
  private static Editor editor;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory);
    server.write(server.runtime("session"));
    server.start();
    String workspace =
        server.client().get("/v1/sessions/" + server.session()).path("workspace_id").asText();
    editor =
        Editor.open(
            server.process().url().toString(),
            directory.resolve("data").resolve("api.key"),
            "--workspace",
            workspace);
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(editor.end()).isZero();
    server.close();
  }

  @Test
  void theAgentsQuestionIsAskedInItsOwnToolCall() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> prompt = editor.prompt(session, "make one.txt");
    JsonNode asked = editor.question(session, 1).at("/params/toolCall");

    editor.answer(editor.question(session, 1), "agent:yes");

    assertThat(Editor.stop(prompt)).isEqualTo("end_turn");
    assertThat(server.folder().resolve("one.txt")).hasContent("made");
    List<JsonNode> calls =
        editor.updates(session).stream()
            .filter(update -> update.path("sessionUpdate").asText().startsWith("tool_call"))
            .toList();
    assertThat(calls)
        .extracting(update -> update.path("toolCallId").asText())
        .containsOnly(asked.path("toolCallId").asText());
    assertThat(calls.get(0).path("sessionUpdate").asText()).isEqualTo("tool_call");
    assertThat(calls.get(calls.size() - 1).path("status").asText()).isEqualTo("completed");
  }

  @Test
  void aFormIsFilledInByTheNextPrompt() {
    String session = editor.newSession();

    assertThat(editor.stop(session, "form")).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("Who are you?", "a JSON object for this form");
    assertThat(editor.stop(session, "{\"name\":\"Ann\",\"age\":7,\"colour\":\"red\"}"))
        .isEqualTo("end_turn");

    assertThat(editor.said(session)).contains("got {\"action\":\"accept\"", "Ann");
  }

  @Test
  void aCancelledPromptStopsTheAgent() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> prompt = editor.prompt(session, "wait");
    editor.awaitSaid(session, "waiting");

    editor.cancel(session);

    assertThat(Editor.stop(prompt)).isEqualTo("cancelled");
    assertThat(editor.said(session)).contains("stopped");
  }

  @Test
  void whatTheAgentReportsReachesTheEditor() throws IOException {
    List<String> reported =
        List.of(
            "{'sessionUpdate':'tool_call','toolCallId':'c1','title':'Look','kind':'read',"
                + "'status':'pending','rawInput':{'path':'a'}}",
            "{'sessionUpdate':'tool_call_update','toolCallId':'c1','status':'completed',"
                + "'rawOutput':{'lines':3},'content':[{'type':'content',"
                + "'content':{'type':'text','text':'one'}}]}",
            "{'sessionUpdate':'available_commands_update','availableCommands':["
                + "{'name':'plan','description':'Plans'}]}",
            "{'sessionUpdate':'usage_update','used':7,'size':100}");
    Files.write(
        server.folder().resolve("updates"),
        reported.stream().map(update -> update.replace('\'', '"')).toList());
    String session = editor.newSession();

    assertThat(editor.stop(session, "report updates")).isEqualTo("end_turn");

    assertThat(editor.updates(session).toString())
        .contains(
            "\"rawInput\":{\"path\":\"a\"}",
            "\"rawOutput\":{\"lines\":3}",
            "\"text\":\"one\"",
            "\"availableCommands\":[{\"name\":\"plan\"",
            "\"used\":7,\"size\":100");
  }
}
