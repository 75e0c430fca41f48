package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent can ask a person besides a plain action. */
@Tag("slow")
final class QuestionsIT {
  private static final String PROMPT = "details > ";
  private static final Set<String> REPORTS = Set.of(HostEvents.TOOL_CALL, HostEvents.TOOL_RESULT);

  @TempDir private static Path directory;
  private HostedTalk talk;

  @BeforeEach
  void start() throws Exception {
    talk = new HostedTalk(directory, AgentProgram.make(directory, "agent"));
    talk.seen().expect("you> ");
  }

  @AfterEach
  void stop() throws IOException {
    talk.close();
  }

  @AfterAll
  static void stopServer() throws IOException {
    HostedTalk.stopServer(directory);
  }

  @Test
  void aLargeActionIsApprovedOnlyAfterItsEndWasShown() throws Exception {
    talk.type("large it\n");
    talk.seen().expect("page 1 of ");
    talk.seen().expect("next page, n no > ");
    talk.type("y\n");
    talk.seen().expect("more pages: read to the end first");
    int pages = 2;
    while (!talk.seen().until(" > ").contains(PROMPT)) {
      talk.type(pages % 2 == 0 ? "\n" : "d\n");
      pages++;
    }
    assertThat(talk.seen().all()).contains("xEND").contains("page " + pages + " of " + pages);
    assertThat(talk.folder().resolve("it")).doesNotExist();
    talk.type("y\n");
    talk.seen().expect("│ made it");
    assertThat(talk.folder().resolve("it")).exists();
  }

  @Test
  void editsInAFolderAreGrantedAtOnceAndElsewhereAreAskedFor() throws Exception {
    Path source = Files.createDirectory(talk.folder().resolve("src"));
    Path other = Files.createDirectory(talk.folder().resolve("src2"));
    Files.createSymbolicLink(source.resolve("link"), other);
    talk.type("edit src/a\n");
    talk.seen().expect("writes " + source.resolve("a"));
    talk.seen().expect("f covers edits in " + source + " and the folders below it, until 20");
    talk.seen().expect("f edits in that folder, n no, d");
    talk.type("f\n");
    talk.seen().expect("│ made src/a");
    talk.seen().expect("done, with receipt_");

    talk.type("edit src/b\n");
    assertThat(talk.seen().until("done, with receipt_")).doesNotContain(PROMPT);
    assertThat(source.resolve("b")).exists();
    JsonNode grant = talk.client().get("/v1/permission-grants").at("/data/0");
    assertThat(grant.path("folder").asText()).isEqualTo(source.toString());
    assertThat(talk.hosted().approvalOfLastTask().at("/quorum_proof/grant_id"))
        .isEqualTo(grant.path("id"));

    talk.type("edit src/link/c\n");
    talk.seen().expect("writes " + other.resolve("c"));
    talk.seen().expect(PROMPT);
    talk.type("n\n");
    talk.seen().expect("│ not made");
    talk.type("edit src/.envrc\n");
    talk.seen().expect("y once, n no, d details > ");
    talk.type("n\n");
    talk.seen().expect("│ not made");
  }

  @Test
  void anActionThatIsAnotherOneThanWasAllowedFailsTheTask() throws Exception {
    talk.type("differ it\n");
    talk.seen().expect(PROMPT);
    talk.type("y\n");
    talk.seen().expect("acted_differently");
  }

  @Test
  void whatRunsWhileTheAgentAsksForMoreIsRecordedMeanwhile() throws Exception {
    askBeside();
    Files.writeString(talk.folder().resolve("go"), "");
    await().until(() -> reports(task()).contains("completed"));
    assertThat(talk.client().get("/v1/tasks/" + task()).path("status").asText())
        .isEqualTo("AUTH_REQUIRED");

    talk.type("y\n");
    talk.seen().expect("done, with receipt_");
    assertThat(reports(task())).containsExactly("completed", "completed");
  }

  @Test
  void aCancelWaitsForWhatRunsWhileTheAgentAsksForMore() throws Exception {
    askBeside();
    String task = task();
    var unused = talk.client().post("/v1/tasks/" + task + "/cancel", JsonLines.object(), task);
    talk.seen().expect("withdrawn");
    assertThat(talk.client().get("/v1/tasks/" + task).path("status").asText())
        .isNotEqualTo("CANCELED");
    Files.writeString(talk.folder().resolve("go"), "");
    talk.seen().expect("canceled");

    assertThat(reports(task)).as("the second is not done").contains("completed");
    assertThat(talk.folder().resolve("first")).exists();
    assertThat(talk.folder().resolve("second")).doesNotExist();
  }

  private void askBeside() throws Exception {
    talk.type("beside first second\n");
    talk.seen().expect(PROMPT);
    talk.type("y\n");
    talk.seen().expect("touch second");
    talk.seen().expect(PROMPT);
  }

  private String task() {
    return talk.client().get("/v1/tasks?limit=1").at("/data/0/id").asText();
  }

  /** The statuses that the agent has reported of what it did. */
  private List<String> reports(String task) {
    List<String> reports = new ArrayList<>();
    for (JsonNode event : talk.client().get("/v1/tasks/" + task + "/events").path("data")) {
      if (REPORTS.contains(event.path("event").asText())) {
        reports.add(event.at("/payload/status").asText());
      }
    }
    return reports;
  }

  @Test
  void whatTheAgentSaysBetweenTwoTasksOfHowThingsStandIsInTheNext() throws Exception {
    talk.type("after\n");
    talk.seen().expect("done, with receipt_");
    Files.writeString(talk.folder().resolve("go"), "");
    await().until(() -> Files.exists(talk.folder().resolve("gone")));
    talk.type("say next\n");
    talk.seen().expect("done, with receipt_");

    assertThat(talk.client().get("/v1/tasks/" + task() + "/events").toString())
        .contains("\"mode_id\":\"second\"");
  }

  @Test
  void theSameActionIsGrantedForTheSessionOrForAWhile() throws Exception {
    talk.type("make it\n");
    talk.seen().expect("s this session, t for 8 hours, w this workspace for 30 days");
    talk.type("t\n");
    talk.seen().expect("done, with receipt_");
    talk.type("make other\n");
    talk.seen().expect(PROMPT);
    talk.type("s\n");
    talk.seen().expect("done, with receipt_");
    for (String again : List.of("make it\n", "make other\n")) {
      talk.type(again);
      assertThat(talk.seen().until("done, with receipt_")).doesNotContain(PROMPT);
    }
    assertThat(talk.folder().resolve("it")).hasContent("made\nmade");

    JsonNode grants = talk.client().get("/v1/permission-grants").path("data");
    assertThat(grants).hasSize(2);
    assertThat(grants).filteredOn(grant -> grant.hasNonNull("until")).hasSize(1);
  }

  @Test
  void aQuestionThatTheAgentTakesBackDisappears() throws Exception {
    talk.type("withdraw it\n");
    talk.seen().expect(PROMPT);
    Files.writeString(talk.folder().resolve("it"), "");
    talk.seen().expect("the agent has withdrawn the question");
    talk.seen().expect("│ taken back");
    talk.seen().expect("done, with receipt_");

    JsonNode request = talk.client().get("/v1/permission-requests?limit=1").at("/data/0");
    assertThat(request.path("status").asText()).isEqualTo("expired");
    assertThat(request.at("/response/reason").asText()).isEqualTo("withdrawn");
  }

  @Test
  void aFormIsFilledInFieldByField() throws Exception {
    talk.type("form\n");
    talk.seen().expect("Who are you?");
    talk.seen().expect("y fill in, n decline > ");
    talk.type("perhaps\n");
    talk.seen().expect("y fill in, n decline > ");
    talk.type("y\n");
    talk.seen().expect("value > ");
    talk.type("Ada\n");
    talk.seen().expect("a whole number");
    talk.seen().expect("value > ");
    talk.type("old\n");
    talk.seen().expect("this does not fit");
    talk.type("36\n");
    talk.seen().expect("Enter leaves it out");
    talk.seen().expect("value > ");
    talk.type("\n");
    talk.seen().expect("one of: red, blue");
    talk.seen().expect("value > ");
    talk.type("blue\n");

    talk.seen().expect("│ got {\"action\":\"accept\",\"content\":");
    assertThat(talk.seen().until("}"))
        .contains("\"name\":\"Ada\"", "\"age\":36", "\"colour\":\"blue\"")
        .doesNotContain("nick");
  }

  @Test
  void aFormCanBeDeclined() throws Exception {
    talk.type("form\n");
    talk.seen().expect("y fill in, n decline > ");
    talk.type("n\n");
    talk.seen().expect("│ got {\"action\":\"decline\"}");
  }

  @Test
  void afterTwentyQuestionsInAMinuteThereIsAPause() throws Exception {
    talk.type("many 21\n");
    for (int i = 0; i < QuestionRate.MOST; i++) {
      talk.seen().expect("command: touch it-" + i);
      talk.seen().expect(PROMPT);
      talk.type("y\n");
    }
    assertThat(talk.seen().until("Enter shows the next one")).doesNotContain("touch it-20");
    talk.type("\n");
    talk.seen().expect("command: touch it-20");
    talk.seen().expect(PROMPT);
    talk.type("y\n");
    talk.seen().expect("done, with receipt_");
    assertThat(talk.folder().resolve("it-20")).exists();
  }

  @Test
  void linesThatWereTypedBeforeAQuestionDoNotAnswerIt() throws IOException {
    talk.type("make it\ny\ny\n");
    talk.seen().expect(PROMPT);
    talk.type("n\n");
    talk.seen().expect("│ not made");
    assertThat(talk.folder().resolve("it")).doesNotExist();
  }
}
