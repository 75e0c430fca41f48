package dev.bridle.core.work.session;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchServiceGrpc;
import dev.bridle.branch.v1.GetBranchRequest;
import dev.bridle.branch.v1.ListSessionBranchesRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.GetMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.ListSessionMessagesResponse;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.SessionServiceGrpc.SessionServiceBlockingStub;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.session.v1.TruncateSessionResponse;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionLineageTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private SessionServiceBlockingStub sessions;
  private Session session;
  private String persona;

  @BeforeEach
  void aSessionOfFourTurns() {
    owner = core.owner();
    sessions = SessionServiceGrpc.newBlockingStub(owner);
    persona = SharedResources.in(owner).persona();
    session =
        sessions.createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId(CoreFixture.WORKSPACE)
                .setPersonaId(persona)
                .addInitialMessages(text("a"))
                .addInitialMessages(text("b"))
                .build());
    say("c");
    say("d");
  }

  @Test
  void aTruncationKeepsTheFirstTurnsAndTellsTheTip() {
    List<Message> before = messages(session.getId());

    TruncateSessionResponse result = truncate(3);

    String tip = before.get(2).getId();
    assertThat(result.getKeptTurnCount()).isEqualTo(3);
    assertThat(result.getRemovedTurnCount()).isEqualTo(1);
    assertThat(result.getNewTipTurnId()).isEqualTo(tip);
    assertThat(result.getSession()).isEqualTo(get(session.getId()));
    assertThat(messages(session.getId())).isEqualTo(before.subList(0, 3));
    EventRecord told = core.lastEvent(session.getId());
    assertThat(told.getEvent()).isEqualTo("session.truncated");
    assertThat(told.getPayload().toStringUtf8())
        .isEqualTo(
            "{\"kept_turn_count\":3,\"removed_turn_count\":1,\"new_tip_turn_id\":\""
                + tip
                + "\",\"reason\":\"again\"}");
  }

  @Test
  void whatIsSaidAfterATruncationFollowsTheTip() {
    truncate(1);
    say("e");
    assertThat(texts(session.getId())).containsExactly("a", "e");
    truncate(2);
    say("f");
    say("g");
    assertThat(texts(session.getId())).containsExactly("a", "e", "f", "g");
    assertThat(truncate(3).getRemovedTurnCount()).isEqualTo(1);
    say("h");
    assertThat(texts(session.getId())).containsExactly("a", "e", "f", "h");

    TruncateSessionResponse none = truncate(0);

    assertThat(none.getRemovedTurnCount()).isEqualTo(4);
    assertThat(none.hasNewTipTurnId()).isFalse();
    assertThat(texts(session.getId())).isEmpty();
    say("i");
    assertThat(texts(session.getId())).containsExactly("i");
  }

  @Test
  void pagesOfATruncatedTranscriptHideAndRepeatNothing() {
    IntStream.range(0, 9).forEach(i -> say("x" + i));
    truncate(5);
    IntStream.range(0, 4).forEach(i -> say("y" + i));
    truncate(7);
    IntStream.range(0, 3).forEach(i -> say("z" + i));

    List<String> expected = List.of("a", "b", "c", "d", "x0", "y0", "y1", "z0", "z1", "z2");
    assertThat(texts(session.getId())).isEqualTo(expected);
    for (int limit = 1; limit <= 11; limit++) {
      assertThat(walked(limit)).as("pages of %s", limit).isEqualTo(expected);
    }
  }

  private List<String> walked(int limit) {
    List<String> walked = new ArrayList<>();
    ListSessionMessagesRequest.Builder ask =
        ListSessionMessagesRequest.newBuilder().setSessionId(session.getId()).setLimit(limit);
    boolean more = true;
    while (more) {
      ListSessionMessagesResponse page =
          MessageServiceGrpc.newBlockingStub(owner).listSessionMessages(ask.build());
      page.getDataList().forEach(message -> walked.add(textOf(message)));
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }
    return walked;
  }

  @Test
  void aMessageThatIsNoMoreShownIsStillThereForWhatNamesIt() {
    Message last = messages(session.getId()).get(3);
    int told = core.events(session.getId()).size();
    truncate(0);

    assertThat(
            MessageServiceGrpc.newBlockingStub(owner)
                .getMessage(GetMessageRequest.newBuilder().setMessageId(last.getId()).build()))
        .isEqualTo(last);
    assertThat(core.events(session.getId())).hasSize(told + 1);
  }

  @Test
  void keepingAllChangesAndTellsNothing() {
    Session before = get(session.getId());

    TruncateSessionResponse result = truncate(4);

    assertThat(result.getRemovedTurnCount()).isZero();
    assertThat(result.getSession()).isEqualTo(before);
    assertThat(truncate(100).getKeptTurnCount()).isEqualTo(4);
    assertThat(get(session.getId())).isEqualTo(before);
  }

  @Test
  void aForkBeginsWithTheTranscriptAndGoesItsOwnWay() {
    Session fork = fork(ForkSessionRequest.newBuilder());
    truncate(1);
    say(fork.getId(), "of the fork");

    assertThat(texts(fork.getId())).containsExactly("a", "b", "c", "d", "of the fork");
    assertThat(texts(session.getId())).containsExactly("a");
    assertThat(fork.getParentSessionId()).isEqualTo(session.getId());
    assertThat(fork.getRootSessionId()).isEqualTo(session.getId());
    assertThat(fork.getPersonaId()).isEqualTo(persona);
    Session second = fork(ForkSessionRequest.newBuilder().setSessionId(fork.getId()));
    assertThat(second.getRootSessionId()).isEqualTo(session.getId());
    assertThat(second.getParentSessionId()).isEqualTo(fork.getId());
    assertThat(messages(fork.getId()))
        .doesNotContainAnyElementsOf(messages(second.getId()))
        .allSatisfy(message -> assertThat(message.getSessionId()).isEqualTo(fork.getId()));
  }

  @Test
  void aForkUpToAnEventCopiesWhatWasToldUpToIt() {
    List<String> told = core.eventIds(session.getId());

    Session fork = fork(ForkSessionRequest.newBuilder().setAtEventId(told.get(2)));
    Session none = fork(ForkSessionRequest.newBuilder().setAtEventId(told.get(0)));

    assertThat(texts(fork.getId())).containsExactly("a", "b");
    assertThat(texts(none.getId())).isEmpty();
    for (String bad : List.of("nonsense", get(fork.getId()).getLastEventId())) {
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "at_event_id",
          () -> fork(ForkSessionRequest.newBuilder().setAtEventId(bad)));
    }
  }

  @Test
  void aForkOfATruncatedSessionCopiesWhatItShows() {
    truncate(2);
    say("e");

    assertThat(texts(fork(ForkSessionRequest.newBuilder()).getId())).containsExactly("a", "b", "e");
  }

  @Test
  void aForkIsToldInBothSessionsAndLeavesABranch() {
    String base = get(session.getId()).getLastEventId();
    Session fork = fork(ForkSessionRequest.newBuilder());

    assertThat(core.events(session.getId()))
        .extracting(EventRecord::getEvent)
        .endsWith("branch.created", "session.thread_forked");
    assertThat(core.events(fork.getId()))
        .extracting(EventRecord::getEvent)
        .hasSize(5)
        .startsWith("session.created", "session.message_appended");
    assertThat(core.events(fork.getId()).get(0).getPayload().toStringUtf8())
        .contains(session.getId(), base);
    Branch branch =
        BranchServiceGrpc.newBlockingStub(owner)
            .getBranch(GetBranchRequest.newBuilder().setBranchId(fork.getBranchId()).build());
    assertThat(branch.getBaseRef()).isEqualTo(base);
    assertThat(branch.getSessionId()).isEqualTo(fork.getId());
    assertThat(
            BranchServiceGrpc.newBlockingStub(owner)
                .listSessionBranches(
                    ListSessionBranchesRequest.newBuilder().setSessionId(session.getId()).build())
                .getDataList())
        .containsExactly(branch);
  }

  @Test
  void aForkMayGoOnABranchThatIsThere() {
    String branch = fork(ForkSessionRequest.newBuilder()).getBranchId();

    assertThat(fork(ForkSessionRequest.newBuilder().setBranchId(branch)).getBranchId())
        .isEqualTo(branch);
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "branch_id",
        () -> fork(ForkSessionRequest.newBuilder().setBranchId("branch_none")));
  }

  @Test
  void aTranscriptThatIsTooLongForOneCopyIsRefusedWhole() {
    String big = "x".repeat(900_000);
    IntStream.range(0, 5).forEach(i -> say(big));
    int told = core.events(session.getId()).size();

    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "", () -> fork(ForkSessionRequest.newBuilder()));
    assertThat(core.events(session.getId())).hasSize(told);
  }

  @Test
  void aClosedSessionCanBeForkedAndNotTruncated() {
    sessions.closeSession(CloseSessionRequest.newBuilder().setSessionId(session.getId()).build());

    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> truncate(1));
    assertThat(texts(fork(ForkSessionRequest.newBuilder()).getId()))
        .containsExactly("a", "b", "c", "d");
  }

  @Test
  void whoDoesNotReachTheSessionFindsNothingToForkOrTruncate() {
    for (Channel stranger :
        new Channel[] {core.of(CoreFixture.TENANT, "elsewhere"), core.of("another")}) {
      SessionServiceBlockingStub theirs = SessionServiceGrpc.newBlockingStub(stranger);
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () ->
              theirs.forkSession(
                  ForkSessionRequest.newBuilder().setSessionId(session.getId()).build()));
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () ->
              theirs.truncateSession(
                  TruncateSessionRequest.newBuilder()
                      .setSessionId(session.getId())
                      .setKeepFirst(0)
                      .build()));
    }
  }

  @Test
  void howManyTurnsAreKeptMustBeSaid() {
    for (TruncateSessionRequest.Builder bad :
        List.of(
            TruncateSessionRequest.newBuilder(),
            TruncateSessionRequest.newBuilder().setKeepFirst(-1))) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "keep_first",
          () -> sessions.truncateSession(bad.setSessionId(session.getId()).build()));
    }
  }

  private TruncateSessionResponse truncate(int keep) {
    return sessions.truncateSession(
        TruncateSessionRequest.newBuilder()
            .setSessionId(session.getId())
            .setKeepFirst(keep)
            .setReason("again")
            .build());
  }

  private Session fork(ForkSessionRequest.Builder request) {
    String of = request.getSessionId().isEmpty() ? session.getId() : request.getSessionId();
    return sessions.forkSession(request.setSessionId(of).build());
  }

  private Session get(String id) {
    return sessions.getSession(GetSessionRequest.newBuilder().setSessionId(id).build());
  }

  private void say(String words) {
    say(session.getId(), words);
  }

  private void say(String to, String words) {
    var unused =
        MessageServiceGrpc.newBlockingStub(owner)
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(to)
                    .setMessage(text(words))
                    .build());
  }

  private List<Message> messages(String of) {
    return MessageServiceGrpc.newBlockingStub(owner)
        .listSessionMessages(
            ListSessionMessagesRequest.newBuilder().setSessionId(of).setLimit(200).build())
        .getDataList();
  }

  private List<String> texts(String of) {
    return messages(of).stream().map(SessionLineageTest::textOf).toList();
  }

  private static String textOf(Message message) {
    return message.getParts(0).getText().getText();
  }

  private static MessageInput text(String words) {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(words)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .build();
  }
}
