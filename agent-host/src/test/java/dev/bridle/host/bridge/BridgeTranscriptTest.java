package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Delivery;
import dev.bridle.host.acp.Diary;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionPhase;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.task.UnaskedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversations with runtimes, as the files in {@code fixtures/bridge} have them. */
@Timeout(180)
final class BridgeTranscriptTest {
  /**
   * In these the host acts by itself, or is another one, so a test of their own plays them; all
   * others are played.
   */
  private static final Set<String> HOST_ACTS =
      Set.of(
          "approvers-refused",
          "cancel",
          "cancel-woken",
          "host-notices",
          "no-turn",
          "permission-approval-request",
          "permission-by-word",
          "permission-cancel",
          "question-rejected");

  private final Diary diary = new Diary();
  private final Notes notes = new Notes();
  private final AtomicReference<String> skills = new AtomicReference<>("as at first");

  private PlayedTurn play(String name) throws Exception {
    return PlayedTurn.of(name, diary, notes, skills::get);
  }

  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(PlayedTurn.FILES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".txt"))
          .map(file -> file.substring(0, file.length() - ".txt".length()))
          .sorted()
          .toList();
    }
  }

  private static List<String> filesInWhichTheHostOnlyAnswers() throws IOException {
    return files().stream().filter(file -> !HOST_ACTS.contains(file)).toList();
  }

  @Test
  void theFilesInWhichTheHostActsAreThere() throws IOException {
    assertThat(files()).containsAll(HOST_ACTS);
  }

  @ParameterizedTest
  @MethodSource("filesInWhichTheHostOnlyAnswers")
  void requestsAreAnsweredAndMistakesAreNamed(String name) throws Exception {
    try (PlayedTurn turn = play(name)) {
      turn.over();
    }
  }

  @Test
  void aFaultOfTheHostIsToldOnceAndEndsNoThread() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try (PlayedTurn turn = play("builtin-call")) {
      turn.over();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
    assertThat(notes.lines).containsExactly("failed builtin_call of the host's own");
  }

  @Test
  void notificationsReachTheListenerInTheirOrder() throws Exception {
    try (PlayedTurn turn = play("notifications")) {
      turn.over();
      assertThat(notes.lines)
          .containsExactly(
              "idle 0 100",
              "idle 1 500",
              "idle 2 1000",
              "idle 3 2000",
              "idle 0 100",
              "output half done",
              "progress {\"done\":1,\"of\":2}",
              "log {\"level\":\"info\",\"message\":\"hello\"}",
              "idle 0 0");
    }
  }

  @Test
  void theHostWakesADaemonSaysThatSkillsChangedAndSendsMessagesInThreeModes() throws Exception {
    try (PlayedTurn turn = play("host-notices")) {
      AcpSession session = turn.session();
      assertThat(turn.end().get(60, TimeUnit.SECONDS).spelled()).isEqualTo("idle");
      assertThat(session.phase()).isEqualTo(SessionPhase.WAITING);
      assertThat(session.say("too late", Delivery.FINISH_STEP)).isFalse();

      assertThat(session.wake().get(60, TimeUnit.SECONDS).spelled()).isEqualTo("idle");

      CompletableFuture<PromptEnd> more = session.prompt(PlayedTurn.text("more"));
      await().atMost(Duration.ofSeconds(60)).until(() -> notes.lines.contains("output listed"));
      assertThat(turn.bridge().skillsHaveChanged()).isFalse();
      session.say("soon", Delivery.FINISH_STEP);
      session.say("now", Delivery.INTERRUPT_IMMEDIATE);
      skills.set("changed");
      assertThat(turn.bridge().skillsHaveChanged()).as("changed").isTrue();
      assertThat(turn.bridge().skillsHaveChanged()).as("changed once").isFalse();
      turn.agent().host.notify("skills/update", JsonNodeFactory.instance.objectNode());

      assertThat(more.get(60, TimeUnit.SECONDS).spelled()).isEqualTo("end_turn");
      turn.agent().assertPlayed();
      assertThat(session.phase()).isEqualTo(SessionPhase.IDLE);
    }
  }

  @Test
  void aPermissionWithoutOptionsIsAnsweredByWord() throws Exception {
    try (PlayedTurn turn = play("permission-by-word")) {
      Question.Permission first = permission();
      assertThat(first.toolName()).isEqualTo("edit_file");
      assertThat(first.circumstances().at("/mutation/mutation_scope").asText())
          .isEqualTo("apply_workspace");
      assertThat(first.circumstances().at("/declaredPaths/0").asText()).isEqualTo("src/main.rs");
      assertThat(first.approversRequired()).hasValue(1);
      turn.session().answer(first, new Reply.Granted(Optional.empty()));
      turn.session().answer(permission(), new Reply.Granted(Optional.of(command("ls"))));
      turn.session().answer(permission(), new Reply.Denied("not on this machine"));
      turn.session().answer(permission(), new Reply.Failed("nobody to ask"));
      turn.over();
    }
  }

  @Test
  void anApprovalRequestIsKeptAndItsQuorumIsRead() throws Exception {
    try (PlayedTurn turn = play("permission-approval-request")) {
      Question.Permission first = permission();
      assertThat(first.toolCallId()).isEqualTo("approval_1");
      assertThat(first.approversRequired()).hasValue(2);
      assertThat(first.acceptsModified()).isTrue();
      assertThat(first.circumstances().at("/approvalRequest/undo_metadata/command").asText())
          .isEqualTo("rollback");
      assertThat(first.circumstances().at("/approvalRequest/evidence_refs/0").asText())
          .isEqualTo("artifact_1");
      turn.session().answer(first, new Reply.Chosen("y"));
      turn.session()
          .answer(
              permission(),
              new Reply.Granted(
                  Optional.of(JsonNodeFactory.instance.objectNode().put("to", "staging"))));
      Question.Permission third = permission();
      assertThat(third.toolName()).isEqualTo("deploy");
      assertThat(third.input().path("to").asText()).isEqualTo("production");
      turn.session().answer(third, new Reply.Granted(Optional.empty()));
      turn.session().answer(permission(), new Reply.Denied("not on Fridays"));
      turn.session().answer(permission(), new Reply.Denied(""));
      turn.over();
    }
  }

  @Test
  void aQuestionWithOptionsThatTakesNoChangedArgumentsGetsNone() throws Exception {
    Question.Permission plain =
        new Question.Permission(
            new ToolCall("c", Map.of()),
            Optional.empty(),
            List.of(new Question.Option("y", "Yes", Question.OptionKind.ALLOW_ONCE)),
            RawJson.of(JsonNodeFactory.instance.objectNode()),
            true);

    assertThatThrownBy(() -> Reply.check(plain, new Reply.Granted(Optional.of(command("ls")))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Reply.check(plain, new Reply.Denied("no")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNumberOfApprovalsThatCantBeHadIsRefusedAndNobodyIsAsked() throws Exception {
    try (PlayedTurn turn = play("approvers-refused")) {
      answerUnasked(turn, 6);
      turn.over();
    }
  }

  @Test
  void aQuestionThatTheCoreRejectsIsAnErrorThatSaysWhy() throws Exception {
    try (PlayedTurn turn = play("question-rejected")) {
      answerUnasked(turn, 3);
      turn.over();
    }
  }

  private void answerUnasked(PlayedTurn turn, int questions) throws InterruptedException {
    for (int i = 0; i < questions; i++) {
      Question asked = diary.asked();
      assertThat(turn.session().answer(asked, UnaskedTask.answer(asked))).isTrue();
    }
  }

  @Test
  void aRequestForPermissionThatTheRuntimeCancelsIsAnErrorAndNotAskedAnyMore() throws Exception {
    try (PlayedTurn turn = play("permission-cancel")) {
      Question.Permission cancelled = permission();
      Question.Permission repeated = permission();
      assertThat(turn.session().answer(cancelled, new Reply.Granted(Optional.empty()))).isFalse();
      assertThat(turn.session().answer(repeated, new Reply.Granted(Optional.empty()))).isTrue();
      turn.over();
      assertThat(diary.lines)
          .containsExactly("question call_1", "closed question call_1", "question call_3");
    }
  }

  @Test
  void aToolOfTheHostIsRefusedWhereNoTaskIsKnown() throws Exception {
    BridgeServices plain = BridgeServices.none();
    try (PlayedTurn turn =
        PlayedTurn.of(
            "no-turn",
            diary,
            notes,
            new BridgeServices(
                UnaskedTask.tools(), plain.search(), plain.hostSearch(), plain.skills()))) {
      turn.over();
    }
  }

  @Test
  void aTurnThatIsCancelledLeavesNoQuestionWithoutOptionsOpen() throws Exception {
    try (PlayedTurn turn = play("cancel")) {
      Question.Permission open = permission();
      assertThat(turn.session().cancel()).isTrue();
      assertThat(turn.session().answer(open, new Reply.Granted(Optional.empty()))).isFalse();

      turn.agent().assertPlayed();
      assertThat(turn.end().get(60, TimeUnit.SECONDS).reason())
          .isEqualTo(PromptEnd.Reason.CANCELLED);
      assertThat(turn.session().phase()).isEqualTo(SessionPhase.IDLE);
      assertThat(diary.lines).startsWith("question call_1", "closed question call_1").hasSize(3);
    }
  }

  @Test
  void aTurnThatBeganByAMessageOfTheBridgeIsCancelledByItsNotificationToo() throws Exception {
    try (PlayedTurn turn = play("cancel-woken")) {
      assertThat(turn.end().get(60, TimeUnit.SECONDS).spelled()).isEqualTo("idle");
      CompletableFuture<PromptEnd> more = turn.session().prompt(PlayedTurn.text("more"));
      Question.Permission open = permission();
      assertThat(turn.session().cancel()).isTrue();

      turn.agent().assertPlayed();
      assertThat(more.get(60, TimeUnit.SECONDS).reason()).isEqualTo(PromptEnd.Reason.CANCELLED);
      assertThat(turn.session().phase()).isEqualTo(SessionPhase.WAITING);
      assertThat(turn.session().answer(open, new Reply.Granted(Optional.empty()))).isFalse();
    }
  }

  /** A file that has a test of its own is named as such, and a test here plays it. */
  @Test
  void eachTranscriptIsPlayed() throws IOException {
    String tests =
        Files.readString(
            Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java"));
    assertThat(HOST_ACTS)
        .allSatisfy(
            file ->
                assertThat(tests).containsPattern("(play|PlayedTurn\\.of)\\(\\s*\"" + file + "\""));
    assertThat(filesInWhichTheHostOnlyAnswers()).hasSize(files().size() - HOST_ACTS.size());
  }

  @Test
  void theMapNamesEachTranscript() throws IOException {
    String map = Files.readString(PlayedTurn.FILES.resolve("README.md"));
    assertThat(files())
        .isNotEmpty()
        .allSatisfy(file -> assertThat(map).contains("(" + file + ".txt)"));
  }

  private Question.Permission permission() throws InterruptedException {
    return (Question.Permission) diary.asked();
  }

  private static ObjectNode command(String command) {
    return JsonNodeFactory.instance.objectNode().put("command", command);
  }
}
