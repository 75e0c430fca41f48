package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An editor drives sessions of a server by a real process of {@code bridle acp}. */
final class AcpIT {
  @TempDir private static Path directory;
  private static AcpServer server;
  private static Editor editor;

  @BeforeAll
  static void start() throws IOException {
    server = new AcpServer(directory);
    editor = Editor.open(server);
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(editor.end()).isZero();
    assertThat(editor.received().toString()).doesNotContain(server.key());
    server.close();
  }

  @Test
  void aPromptShowsWhatTheAgentSaysAndDoes() {
    String session = editor.newSession();

    assertThat(editor.stop(session, "show")).isEqualTo("end_turn");

    assertThat(variants(session))
        .containsExactly(
            "plan", "tool_call", "tool_call_update", "agent_message_chunk", "agent_message_chunk");
    List<JsonNode> updates = editor.updates(session);
    assertThat(updates.get(0).at("/entries/0/status").asText()).isEqualTo("in_progress");
    assertThat(updates.get(1).path("kind").asText()).isEqualTo("read");
    assertThat(updates.get(2).path("status").asText()).isEqualTo("completed");
    assertThat(updates.get(2).path("toolCallId")).isEqualTo(updates.get(1).path("toolCallId"));
    assertThat(editor.said(session)).isEqualTo("shownthe end");
  }

  private static List<String> variants(String session) {
    List<String> variants = new ArrayList<>();
    editor.updates(session).forEach(update -> variants.add(update.path("sessionUpdate").asText()));
    return variants;
  }

  @Test
  void anActionIsDoneOnceItIsAllowedInTheEditorAndNotIfItIsRejected() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> allowed = editor.prompt(session, "act rm -r \u202ebuild");

    JsonNode asked = editor.question(session, 1).path("params");

    assertThat(asked.path("sessionId").asText()).isEqualTo(session);
    assertThat(asked.at("/toolCall/rawInput/command").asText()).isEqualTo("rm -r \u202ebuild");
    assertThat(asked.at("/toolCall/title").asText()).isEqualTo("rm -r ⟨U+202E⟩build");
    assertThat(asked.at("/toolCall/content/0/content/text").asText())
        .contains("command: rm -r ⟨U+202E⟩build", "cwd: /work");
    assertThat(asked.path("options").findValuesAsText("kind"))
        .containsExactly("allow_once", "allow_always", "reject_once");
    editor.answer(editor.question(session, 1), "allow_once");
    assertThat(Editor.stop(allowed)).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("did it");

    editor.choose(session, "reject_once");
    assertThat(editor.stop(session, "act rm -r /")).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("not allowed");
    assertThat(server.worker().done()).contains("rm -r \u202ebuild").doesNotContain("rm -r /");

    editor.choose(session, "this_action");
    assertThat(editor.stop(session, "act make")).isEqualTo("end_turn");
    editor.chooseNothing(session);
    assertThat(editor.stop(session, "act make")).as("allowed by the grant").isEqualTo("end_turn");
    assertThat(editor.questions(session)).hasSize(3);
    assertThat(server.worker().done()).filteredOn("make"::equals).hasSize(2);
  }

  @Test
  void anEditShowsItsDifferenceAndAnActionTooLargeToBeShownCantBeAllowedHere() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> edit = editor.prompt(session, "edit /work/a.txt");
    JsonNode content = editor.question(session, 1).at("/params/toolCall/content");
    assertThat(content.get(1).path("type").asText()).isEqualTo("diff");
    assertThat(content.get(1).path("newText").asText()).isEqualTo("two");
    editor.answer(editor.question(session, 1), "reject_once");
    assertThat(Editor.stop(edit)).isEqualTo("end_turn");

    CompletableFuture<JsonNode> large = editor.prompt(session, "large 70000");
    JsonNode asked = editor.question(session, 2).path("params");
    String request = asked.at("/toolCall/_meta/bridle/permission_request_id").asText();
    assertThat(asked.path("options").findValuesAsText("optionId")).containsExactly("reject_once");
    assertThat(asked.at("/toolCall/content/0/content/text").asText())
        .contains("bridle permission approve " + request, "--url " + server.url());
    editor.answer(editor.question(session, 2), "allow_once");
    editor.awaitSaid(session, "The question stays open");
    answer(request, true);
    assertThat(Editor.stop(large)).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("did it");
  }

  private static void answer(String request, boolean approved) {
    var unused =
        server
            .client()
            .post(
                "/v1/permission-requests/" + request + "/respond",
                JsonLines.object().put("approved", approved).put("reason", "seen elsewhere"),
                UUID.randomUUID().toString());
  }

  @Test
  void aQuestionThatIsAnsweredElsewhereIsTakenBackAndItsLateAnswerHasNoEffect() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> prompt = editor.prompt(session, "act late");
    JsonNode question = editor.question(session, 1);

    answer(question.at("/params/toolCall/_meta/bridle/permission_request_id").asText(), false);

    assertThat(Editor.stop(prompt)).isEqualTo("end_turn");
    assertThat(editor.received())
        .filteredOn(message -> message.path("method").asText().equals("$/cancel_request"))
        .extracting(message -> message.at("/params/requestId"))
        .contains(question.get("id"));
    assertThat(editor.updates(session).toString())
        .contains("Denied by owner, with the reason: seen elsewhere");
    editor.answer(question, "allow_once");
    assertThat(editor.stop(session, "say still here")).isEqualTo("end_turn");
    assertThat(server.worker().done()).doesNotContain("late");
  }

  @Test
  void aPromptThatIsCancelledEndsWithItsTask() {
    String session = editor.newSession();
    CompletableFuture<JsonNode> works = editor.prompt(session, "wait");
    editor.awaitSaid(session, "waiting");
    editor.cancel(session);
    JsonNode answer = Editor.get(works);
    assertThat(answer.at("/result/stopReason").asText()).isEqualTo("cancelled");
    assertThat(status(answer)).isEqualTo("CANCELED");

    CompletableFuture<JsonNode> asks = editor.prompt(session, "act never");
    JsonNode question = editor.question(session, 1);
    editor.cancel(session);
    editor.answer(question, "cancelled");
    answer = Editor.get(asks);
    assertThat(answer.at("/result/stopReason").asText()).isEqualTo("cancelled");
    assertThat(status(answer)).isEqualTo("CANCELED");

    CompletableFuture<JsonNode> early = editor.prompt(session, "wait");
    editor.cancel(session);
    assertThat(Editor.stop(early)).isEqualTo("cancelled");
    assertThat(editor.stop(session, "say on")).isEqualTo("end_turn");
    assertThat(server.worker().done()).doesNotContain("never");
  }

  @Test
  void aPromptWhoseRequestIsCancelledEndsWithItsTask() {
    String session = editor.newSession();
    editor.cancelLastRequest();
    CompletableFuture<JsonNode> works = editor.prompt(session, "wait");
    editor.awaitSaid(session, "waiting");
    editor.cancelLastRequest();

    JsonNode answer = Editor.get(works);
    assertThat(answer.at("/result/stopReason").asText()).isEqualTo("cancelled");
    assertThat(status(answer)).isEqualTo("CANCELED");
    assertThat(editor.stop(session, "say on")).isEqualTo("end_turn");
  }

  private static String status(JsonNode answer) {
    String task = answer.at("/result/_meta/bridle/task_id").asText();
    return server.client().get("/v1/tasks/" + task).path("status").asText();
  }

  @Test
  void oneSessionWorksAtOnePromptAtATimeAndSessionsWorkBesideOneAnother() {
    String first = editor.newSession();
    String second = editor.newSession();
    CompletableFuture<JsonNode> works = editor.prompt(first, "wait");
    editor.awaitSaid(first, "waiting");

    assertThat(editor.stop(second, "say beside")).isEqualTo("end_turn");
    assertThat(
            editor
                .error("session/prompt", Editor.words(first, "say more"))
                .path("message")
                .asText())
        .contains("being worked on");

    editor.cancel(first);
    assertThat(Editor.stop(works)).isEqualTo("cancelled");
  }

  @Test
  void aTaskThatFailsAnswersWithAnErrorUnlessTheProtocolHasAWordForIt() {
    String session = editor.newSession();

    JsonNode error = editor.error("session/prompt", Editor.words(session, "fail broken_tool"));

    assertThat(error.path("code").asInt()).isEqualTo(-32603);
    assertThat(error.path("message").asText()).contains("broken_tool: it failed");
    assertThat(editor.stop(session, "fail refusal")).isEqualTo("refusal");
    assertThat(editor.stop(session, "fail max_tokens")).isEqualTo("max_tokens");
  }

  @Test
  void aQuestionToTheUserIsAnsweredByTheNextPrompt() {
    String session = editor.newSession();

    assertThat(editor.stop(session, "ask Which fish?")).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("Which fish?", "Your next message is the answer");

    assertThat(editor.stop(session, "the red one")).isEqualTo("end_turn");
    assertThat(editor.said(session)).contains("heard the red one");
    assertThat(editor.text(session, "user_message_chunk")).isEmpty();
  }

  @Test
  @Tag("slow")
  void aTaskGoesOnWhenItsServerStartsAgain() throws Exception {
    try (AcpServer other = new AcpServer(directory.resolve("other"));
        Editor own = Editor.open(other)) {
      String session = own.newSession();
      CompletableFuture<JsonNode> prompt = own.prompt(session, "act make");
      JsonNode question = own.question(session, 1);

      other.restart();
      own.answer(question, "allow_once");

      assertThat(Editor.stop(prompt)).isEqualTo("end_turn");
      assertThat(own.said(session)).contains("did it");
      assertThat(own.questions(session)).hasSize(1);
    }
  }

  @Test
  void thePersonaOfPromptsIsTheModeThatIsChosen() throws IOException {
    String persona = server.persona("careful");
    JsonNode made = editor.result("session/new", Editor.place());
    String session = made.path("sessionId").asText();
    assertThat(made.at("/modes/currentModeId").asText()).isEqualTo("default");
    assertThat(made.at("/modes/availableModes").findValuesAsText("name"))
        .contains("Default", "careful");
    editor.stop(session, "persona");
    assertThat(editor.said(session)).isEqualTo("persona ");

    JsonNode unused =
        editor.result(
            "session/set_mode",
            JsonLines.object().put("sessionId", session).put("modeId", persona));
    editor.stop(session, "persona");

    assertThat(editor.said(session)).isEqualTo("persona persona " + persona);
    assertThat(editor.updates(session).toString())
        .contains("\"current_mode_update\",\"currentModeId\":\"" + persona);
    assertThat(
            editor
                .error(
                    "session/set_mode",
                    JsonLines.object().put("sessionId", session).put("modeId", "other"))
                .path("code")
                .asInt())
        .isEqualTo(-32602);
  }

  @Test
  void theGivenPersonaIsTheModeOfNewSessions() throws IOException {
    String persona = server.persona("bold");
    try (Editor own = Editor.open(server, "--persona", "bold")) {
      JsonNode made = own.result("session/new", Editor.place());
      assertThat(made.at("/modes/currentModeId").asText()).isEqualTo(persona);
      String session = made.path("sessionId").asText();
      own.stop(session, "persona");
      assertThat(own.said(session)).isEqualTo("persona " + persona);
    }
  }

  @Tag("slow")
  @Test
  void aTaskGoesOnBehindAnEditorThatEndsAndIsTakenUpByTheNextOne() throws Exception {
    String session;
    try (Editor first = Editor.open(server)) {
      session = first.newSession();
      first.stop(session, "say before");
      var unused = first.prompt(session, "act later");
      first.question(session, 1);
      assertThat(first.end()).isZero();
    }
    try (Editor second = Editor.open(server)) {
      JsonNode unused = second.result("session/resume", Editor.place(session));
      JsonNode question = second.question(session, 1);
      assertThat(question.at("/params/toolCall/rawInput/command").asText()).isEqualTo("later");
      assertThat(second.said(session)).isEmpty();
      assertThat(second.terminate()).isZero();
    }
    try (Editor third = Editor.open(server)) {
      JsonNode unused = third.result("session/load", Editor.place(session));
      assertThat(third.text(session, "user_message_chunk")).isEqualTo("say beforeact later");
      assertThat(third.said(session)).isEqualTo("before");
      third.answer(third.question(session, 1), "allow_once");
      third.awaitSaid(session, "did it");
      await()
          .atMost(Editor.PATIENCE)
          .until(() -> third.stop(session, "say after").equals("end_turn"));
      assertThat(third.said(session)).endsWith("did itafter");
    }
  }
}
