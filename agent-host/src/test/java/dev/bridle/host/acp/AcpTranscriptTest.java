package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpException.Reason;
import dev.bridle.host.acp.OpenedSession.How;
import dev.bridle.host.acp.Question.OptionKind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations with agents, as the files in {@code transcripts} have them. */
@Timeout(180)
final class AcpTranscriptTest {
  private static final ArrayNode NO_SERVERS = JsonNodeFactory.instance.arrayNode();
  private static final ArrayNode HI = JsonNodeFactory.instance.arrayNode();

  static {
    HI.addObject().put("type", "text").put("text", "hi");
  }

  private Diary diary = new Diary();

  private OpenedSession open(ScriptedAgent agent, String... earlier) throws Exception {
    Initialized initialized = agent.host.initialize();
    return agent.host.open(
        initialized,
        Path.of("/work"),
        Optional.of(earlier).filter(ids -> ids.length > 0).map(ids -> ids[0]),
        NO_SERVERS,
        diary);
  }

  private static PromptEnd end(CompletableFuture<PromptEnd> turn) throws Exception {
    return turn.get(60, TimeUnit.SECONDS);
  }

  private static void assertFails(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(AcpException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static void assertTurnFails(Reason reason, CompletableFuture<PromptEnd> turn) {
    assertThatThrownBy(() -> end(turn))
        .cause()
        .isInstanceOfSatisfying(AcpException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  /** Waits until the session has all questions that come before the mode "asked". */
  private void awaitAsked() {
    await().until(() -> diary.lines.contains("mode asked"));
  }

  @Test
  void anAgentIntroducesItselfAndTheUserLogsIn() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("introduction")) {
      Initialized initialized = agent.host.initialize();
      agent.host.authenticate("key");
      agent.assertPlayed();

      assertThat(initialized.name()).isEqualTo("opencode");
      assertThat(initialized.version()).isEqualTo("1.18");
      assertThat(initialized.capabilities().load()).isTrue();
      assertThat(initialized.capabilities().resume()).isTrue();
      assertThat(initialized.capabilities().images()).isTrue();
      assertThat(initialized.capabilities().audio()).isFalse();
      assertThat(initialized.capabilities().whole().toString()).contains("[1.5");
      assertThat(initialized.whole().toString()).contains("\"more\":true");
      assertThat(initialized.authMethods()).hasSize(1);
      assertThat(initialized.authMethods().get(0).id()).isEqualTo("key");
      assertThat(initialized.authMethods().get(0).description()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"later-version,2", "no-version,unknown"})
  void anAgentOfAnotherVersionIsDeclined(String transcript, String told) throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent(transcript)) {
      assertThatThrownBy(agent.host::initialize)
          .isInstanceOfSatisfying(
              AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.VERSION))
          .hasMessage("The agent speaks version " + told + " of the protocol, expected 1");
      agent.assertPlayed();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "login-required,LOGIN",
    "no-session-id,BAD_ANSWER",
    "dies-while-opening,NO_ANSWER",
  })
  void aSessionThatCannotBeOpenedSaysWhy(String transcript, Reason reason) throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent(transcript)) {
      assertFails(reason, () -> open(agent));
      agent.assertPlayed();
      assertThat(diary.lines).isEmpty();
    }
  }

  @Test
  void aLoginThatFailsSaysWhy() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("login-fails")) {
      agent.host.initialize();

      assertThatThrownBy(() -> agent.host.authenticate("key"))
          .isInstanceOf(AcpException.class)
          .hasMessageContaining("-32603")
          .hasMessageContaining("wrong key");
    }
  }

  @Test
  void everyVariantOfAnUpdateIsToldInItsOrder() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("all-updates")) {
      OpenedSession opened = open(agent);
      assertThat(opened.how()).isEqualTo(How.NEW);
      assertThat(opened.whole().toString()).contains("currentModeId");

      PromptEnd end = end(opened.session().prompt(HI));
      agent.assertPlayed();

      assertThat(end.reason()).isEqualTo(PromptEnd.Reason.END_TURN);
      assertThat(opened.session().phase()).isEqualTo(SessionPhase.IDLE);
      assertThat(diary.lines)
          .containsExactly(
              "commands [{\"name\":\"init\",\"description\":\"d\"}]",
              "USER u@0 hi",
              "THOUGHT t@0 hm",
              "AGENT m@0 See ",
              "AGENT m {\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}",
              "AGENT m@4 noted",
              "AGENT n@0 B ",
              "plan [{\"content\":\"a\",\"priority\":\"high\",\"status\":\"pending\"}]",
              "mode code",
              "options [{\"id\":\"model\"}]",
              "usage 10 of 200 0.1 USD",
              "usage 11 of 200 free",
              "other usage_update {\"sessionUpdate\":\"usage_update\",\"used\":\"many\"}",
              "other session_info_update"
                  + " {\"sessionUpdate\":\"session_info_update\",\"title\":\"T\"}",
              "other skill_activated"
                  + " {\"sessionUpdate\":\"skill_activated\",\"skillName\":\"deploy\"}",
              "other agent_message_chunk {\"sessionUpdate\":\"agent_message_chunk\"}",
              "other  {\"no\":\"variant\"}");
    }
  }

  @Test
  void toolCallsAreMergedAndNoChangeOfStatusIsLost() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("tool-calls")) {
      AcpSession session = open(agent).session();
      end(session.prompt(HI));
      agent.assertPlayed();

      assertThat(diary.lines)
          .containsSubsequence(
              "tool c1 'Run ls' execute pending first changed",
              "tool c1 'Run ls' execute in_progress changed",
              "tool c1 'Run ls' execute completed changed",
              "tool c2 ''  failed first changed",
              "other tool_call_update"
                  + " {\"sessionUpdate\":\"tool_call_update\",\"status\":\"failed\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "max_tokens,MAX_TOKENS",
    "max_turn_requests,MAX_TURN_REQUESTS",
    "refusal,REFUSAL",
    "cancelled,CANCELLED",
    "tired,UNKNOWN",
  })
  void aTurnSaysWhyItEnded(String spelled, PromptEnd.Reason reason) throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("stop-" + spelled)) {
      PromptEnd end = end(open(agent).session().prompt(HI));

      assertThat(end.reason()).isEqualTo(reason);
      assertThat(end.spelled()).isEqualTo(spelled);
    }
  }

  @Test
  void whatArrivedBeforeAMessageIsNoSignThatTheAgentHasIt() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("message-at-the-end")) {
      AcpSession session = open(agent).session();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);
      await().until(() -> diary.lines.contains("mode seen"));
      assertThat(session.hasReportedSinceMessage()).isTrue();

      assertThat(session.say("stop", Delivery.FINISH_STEP)).isTrue();
      assertThat(end(turn).reason()).isEqualTo(PromptEnd.Reason.END_TURN);

      assertThat(session.hasReportedSinceMessage()).isFalse();
      agent.assertPlayed();
    }
  }

  @Test
  void aSessionGoesOnAfterATurnThatFailed() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("turn-fails")) {
      AcpSession session = open(agent).session();

      assertTurnFails(Reason.ANSWERED_ERROR, session.prompt(HI));
      assertThat(end(session.prompt(HI)).reason()).isEqualTo(PromptEnd.Reason.END_TURN);
      agent.assertPlayed();
    }
  }

  @Test
  void anAgentThatDiesClosesTheSessionAndItsQuestion() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("dies-in-turn")) {
      AcpSession session = open(agent).session();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);

      assertTurnFails(Reason.NO_ANSWER, turn);
      await().until(() -> session.phase() == SessionPhase.CLOSED);
      assertTurnFails(Reason.PHASE, session.prompt(HI));
      assertThat(session.answer(diary.asked(), new Reply.Chosen("y"))).isFalse();
      await().until(() -> diary.lines.size() == 5);
      assertThat(diary.lines)
          .containsExactly(
              "AGENT @0 one",
              "AGENT @3 two",
              "question c1",
              "closed question c1",
              "closed: A turn got no answer: session/prompt has no answer:"
                  + " The other side's output ended");
    }
  }

  @Test
  void oneQuestionIsOpenAtATimeAndARepetitionGetsTheSameAnswer() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("questions")) {
      AcpSession session = open(agent).session();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);

      Question.Permission first = (Question.Permission) diary.asked();
      awaitAsked();
      assertThat(first.input().toString()).isEqualTo("{\"cwd\":\"/work\",\"command\":\"rm  x\"}");
      assertThat(first.toolCall().rawInput()).hasToString("{\"command\":\"rm  x\"}");
      assertThat(first.options())
          .extracting(Question.Option::kind)
          .containsExactly(
              OptionKind.ALLOW_ALWAYS,
              OptionKind.ALLOW_ONCE,
              OptionKind.REJECT_ONCE,
              OptionKind.UNKNOWN);
      assertThatThrownBy(() -> session.answer(first, new Reply.Chosen("z")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.answer(first, new Reply.Declined()))
          .isInstanceOf(IllegalArgumentException.class);
      String allow = first.options(OptionKind.ALLOW_ONCE).get(0).id();
      assertThat(session.answer(first, new Reply.Chosen(allow))).isTrue();
      assertThat(session.answer(first, new Reply.Chosen(allow))).isFalse();

      Question.Permission second = (Question.Permission) diary.asked();
      assertThat(second.input().toString()).contains("rm -rf /");
      assertThat(session.answer(second, new Reply.Chosen("n"))).isTrue();
      Question.Permission third = (Question.Permission) diary.asked();
      assertThat(third.known()).isEmpty();
      assertThat(third.input().toString()).isEqualTo("{}");
      assertThat(session.answer(third, new Reply.Failed("nobody to ask"))).isTrue();

      end(turn);
      agent.assertPlayed();
      assertThat(diary.lines).filteredOn(line -> line.startsWith("question")).hasSize(3);
    }
  }

  @Test
  void cancellingAnswersTheQuestionsAndWaitsForTheEndOfTheTurn() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("cancel")) {
      AcpSession session = open(agent).session();
      assertThat(session.cancel()).isFalse();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);
      Question open = diary.asked();
      awaitAsked();

      assertThat(session.cancel()).isTrue();
      assertThat(session.cancel()).isFalse();
      assertThat(session.answer(open, new Reply.Chosen("y"))).isFalse();
      assertTurnFails(Reason.PHASE, session.prompt(HI));
      agent.goOn();

      assertThat(end(turn).reason()).isEqualTo(PromptEnd.Reason.CANCELLED);
      agent.assertPlayed();
      assertThat(session.phase()).isEqualTo(SessionPhase.IDLE);
      assertThat(diary.lines)
          .containsExactly(
              "question c1",
              "mode asked",
              "closed question c1",
              "tool c1 ''  failed first changed");
    }
  }

  @Test
  void aQuestionThatIsTakenBackIsClosedAndTheNextOneFollows() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("question-taken-back")) {
      AcpSession session = open(agent).session();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);
      Question first = diary.asked();
      Question second = diary.asked();

      assertThat(session.answer(first, new Reply.Chosen("y"))).isFalse();
      assertThat(session.answer(second, new Reply.Chosen("y"))).isTrue();
      end(turn);
      agent.assertPlayed();
      assertThat(diary.lines).containsExactly("question c1", "closed question c1", "question c2");
    }
  }

  @Test
  void whatCannotBeAskedIsRefused() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("questions-refused")) {
      AcpSession session = open(agent).session();
      end(session.prompt(HI));
      agent.assertPlayed();

      assertThat(diary.lines).isEmpty();
    }
  }

  @Test
  void formsAreQuestionsToo() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("forms")) {
      AcpSession session = open(agent).session();
      CompletableFuture<PromptEnd> turn = session.prompt(HI);

      Question.Form form = (Question.Form) diary.asked();
      assertThat(form.message()).isEqualTo("Which port?");
      assertThat(form.schema().toString()).contains("\"integer\"");
      assertThatThrownBy(() -> session.answer(form, new Reply.Chosen("y")))
          .isInstanceOf(IllegalArgumentException.class);
      var filled = JsonNodeFactory.instance.objectNode().put("port", 80);
      assertThat(session.answer(form, new Reply.Filled(filled))).isTrue();
      assertThat(session.answer(diary.asked(), new Reply.Declined())).isTrue();
      assertThat(session.answer(diary.asked(), new Reply.Cancelled())).isTrue();
      end(turn);
      agent.assertPlayed();
    }
  }

  @Test
  void aSessionIsResumedWhereThatIsServed() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("resume")) {
      OpenedSession opened = open(agent, "s1");
      assertThat(opened.how()).isEqualTo(How.RESUMED);
      end(opened.session().prompt(HI));

      assertThat(diary.lines).containsExactly("AGENT @0 back");
    }
  }

  @Test
  void aSessionIsLoadedWhereItIsNotResumedAndItsHistoryIsDropped() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("resume-not-served")) {
      OpenedSession opened = open(agent, "s1");
      assertThat(opened.how()).isEqualTo(How.LOADED);
      await().until(() -> opened.session().dropped() == 6);
      assertThat(opened.session().phase()).isEqualTo(SessionPhase.LOADED);
      end(opened.session().prompt(HI));
      agent.assertPlayed();

      assertThat(diary.lines).containsExactly("commands []", "AGENT @0 new");
    }
  }

  @Test
  void historyThatComesBeforeAndAfterThePromptIsNotTold() throws Exception {
    SessionHistory history;
    try (ScriptedAgent agent = new ScriptedAgent("history")) {
      AcpSession session = open(agent).session();
      end(session.prompt(HI));
      history = SessionHistory.of(session.history().kept());
    }
    diary = new Diary(); // The end of the first connection may still be told to the other one.

    try (ScriptedAgent agent = new ScriptedAgent("late-history")) {
      AcpSession session =
          agent
              .host
              .open(
                  agent.host.initialize(),
                  Path.of("/work"),
                  Optional.of("s1"),
                  history,
                  NO_SERVERS,
                  diary)
              .session();
      ArrayNode more = JsonNodeFactory.instance.arrayNode();
      more.addObject().put("type", "text").put("text", "more");
      end(session.prompt(more));
      agent.assertPlayed();

      assertThat(session.dropped()).isEqualTo(5);
      assertThat(diary.lines)
          .containsExactly(
              "usage 10 of 200 free", "AGENT @0 new", "tool c2 '' execute completed first changed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"neither-served", "nothing-advertised"})
  void aSessionThatIsLostIsReplacedByAFreshOne(String transcript) throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent(transcript)) {
      OpenedSession opened = open(agent, "s1");
      agent.assertPlayed();

      assertThat(opened.how()).isEqualTo(How.FRESH);
      assertThat(opened.session().id()).isEqualTo("s2");
      assertThat(diary.lines).isEmpty();
    }
  }

  @Test
  void aLoginThatHasLapsedIsNoReasonToBeginAnew() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("login-lapsed")) {
      assertFails(Reason.LOGIN, () -> open(agent, "s1"));
      agent.assertPlayed();
    }
  }

  @Test
  void modesAndOptionsAreSet() throws Exception {
    try (ScriptedAgent agent = new ScriptedAgent("settings")) {
      AcpSession session = open(agent).session();
      session.setMode("plan");
      assertThat(session.setOption("model", "big").toString()).contains("\"big\"");
      assertThat(session.setOption("web", true)).hasToString("[]");
      assertFails(Reason.ANSWERED_ERROR, () -> session.setMode("none"));
      agent.assertPlayed();
    }
  }
}
