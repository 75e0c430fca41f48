package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.core.Scope;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions that say more than yes once, and what an artifact asks of a device. */
final class WiderDecisionTest extends AskedDevices {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;

  private Decision.Content forSession(Artifact shown, Optional<String> grant) {
    return Phone.once(shown, Answer.ALLOW).withScope(Scope.SESSION, Optional.of(session), grant);
  }

  private static void send(Phone phone, Artifact shown, Decision.Content content) {
    phone.send(shown.requestId(), phone.submission(phone.sign(content), Optional.empty()));
  }

  @Test
  void aDecisionForTheSessionAllowsTheSameActionAgainUntilTheDeviceIsRevoked() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();
    Artifact shown = awaitAsked(phone);
    assertThat(shown.payload().at("/grants/this_action").textValue()).contains("This exact action");

    Decision decision = phone.sign(forSession(shown, Optional.empty()));
    phone.send(shown.requestId(), phone.submission(decision, Optional.empty()));

    PermissionAnswer answer =
        awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED)
            .getResponse()
            .getAnswers(0);
    assertThat(answer.getGrant()).isEqualTo("this_action");
    assertThat(Timestamps.toMillis(answer.getGrantUntil()))
        .isEqualTo(decision.expiresAt().toEpochMilli());
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again, "1", "make deploy").getVerdict()).isEqualTo(ALLOWED);
    assertThat(ask(again, "2", "make deploy").getGrantId()).as("by the grant").isNotEmpty();
    revoke(phone);
    assertThat(ask(again, "3", "make deploy").getVerdict()).as("revoked").isEqualTo(WAITING);
  }

  @Test
  void aDecisionForTheSessionMayChooseAnyGrantOfTheSessionThatWasShown() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    var unused = ask(lease, "1", "make deploy").getRequestId();
    Artifact shown = awaitAsked(phone);

    send(phone, shown, forSession(shown, Optional.of("this_tool")));

    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again, "2", "make clean").getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void nothingWiderThanWhatWasShownIsGranted() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();

    Artifact first = awaitAsked(phone);
    send(phone, first, forSession(first, Optional.of("everything")));
    Artifact second = awaitAnother(phone, first);
    Decision.Content elsewhere =
        Phone.once(second, Answer.ALLOW)
            .withScope(Scope.SESSION, Optional.of("sess_other"), Optional.empty());
    send(phone, second, elsewhere);
    Artifact third = awaitAnother(phone, second);
    Decision.Content once =
        Phone.once(third, Answer.ALLOW)
            .withScope(Scope.ONCE, Optional.empty(), Optional.of("this_tool"));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> phone.sendWhole(phone.sign(once)));

    assertThat(refusals(lease)).hasSize(2).allMatch(payload -> payload.contains("HARP_ERR_SCOPE"));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(phone.asked()).as("the request is not spoiled").hasSize(1);
  }

  @Test
  void aDecisionWithHintsThatMeanNothingHereOrThatIsTooLargeIsRefused() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    var unused = ask(begin(), "1", "make deploy").getRequestId();
    Artifact shown = awaitAsked(phone);

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> phone.sendWhole(phone.signedWithHint(shown, "please")));
    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "",
        () -> phone.sendJson(phone.hinted(shown, "x".repeat(70_000))));
    assertThat(phone.asked()).hasSize(1);
  }

  @Test
  void aTimeboxIsOneUseUnlessARuleSaysThatItMayBeMore() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    var unusedFirst = ask(lease, "1", "make deploy").getRequestId();
    Artifact shown = awaitAsked(phone);
    Scope timebox = Scope.TIMEBOX;
    send(
        phone,
        shown,
        Phone.once(shown, Answer.ALLOW).withScope(timebox, Optional.empty(), Optional.empty()));
    TaskLease second = next(lease.getTask().getId());
    assertThat(ask(second, "1", "make deploy").getVerdict()).isEqualTo(ALLOWED);
    rule("timed", rule -> rule.addMayGrant(GrantScope.GRANT_SCOPE_ACTION_UNTIL));
    assertThat(ask(second, "2", "make deploy").getVerdict()).isEqualTo(WAITING);

    Artifact again = awaitAsked(phone);
    send(
        phone,
        again,
        Phone.once(again, Answer.ALLOW).withScope(timebox, Optional.empty(), Optional.empty()));

    TaskLease third = next(lease.getTask().getId());
    assertThat(ask(third, "2", "make deploy").getVerdict()).isEqualTo(ALLOWED);
    assertThat(ask(third, "3", "make deploy").getGrantId()).isNotEmpty();
  }

  @Test
  void aWholeDecisionNeedsNoRelayAndOneThatDoesNotHoldSpoilsNothing() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone thief = Phone.of(core, "eve", "eve-1");
    TaskLease lease = begin();
    String request = ask(wanted(lease, "1", "make deploy").addApprovers("ada")).getRequestId();
    Artifact shown = awaitAsked(phone);
    Decision yes = phone.sign(Phone.once(shown, Answer.ALLOW));
    Decision forged = thief.sign(Phone.once(shown, Answer.ALLOW));

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> thief.sendWhole(yes));
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "", () -> phone.sendWhole(forged));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(phone.sendWhole(yes).at("/body/state").textValue()).isEqualTo("decided");
    assertThat(phone.sendWhole(yes).at("/body/state").textValue()).as("again").isEqualTo("decided");
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "",
        () -> phone.sendWhole(phone.sign(Phone.once(shown, Answer.DENY))));

    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(read(request).getResponse().getAnswersList()).hasSize(1);
    assertThat(refusals(lease)).isEmpty();
    await().until(() -> phone.asked().isEmpty());
    assertThat(phone.relay().state(shown.requestId())).isEqualTo("withdrawn");
    assertThat(ask(next(lease.getTask().getId()), "1", "make deploy").getVerdict())
        .isEqualTo(ALLOWED);
  }

  @Test
  void aDeviceThatOpensExtensionsShowsTheAgentsButtonsAndTheAgentLearnsWhichWasPressed() {
    Phone plain = Phone.of(core, "ben", "ben-1");
    Phone phone = Phone.withExtensions(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();

    assertThat(RequestedActions.of(awaitAsked(plain))).isEqualTo(RequestedActions.DEFAULT);
    Artifact shown = awaitAsked(phone);
    assertThat(RequestedActions.of(shown))
        .extracting(RequestedActions.Action::id)
        .as("nothing that means always")
        .containsExactly("yes", "no");
    Decision yes = phone.sign(Phone.once(shown, Answer.ALLOW));
    phone.send(shown.requestId(), phone.submission(yes, Optional.of("yes")));

    PermissionAnswer answer =
        awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED)
            .getResponse()
            .getAnswers(0);
    assertThat(answer.getOptionId()).isEqualTo("yes");
    assertThat(
            PermissionArtifact.shown(answer.getEvidence(), read(request)).map(CanonicalJson::bytes))
        .contains(CanonicalJson.bytes(shown.json()));
    assertThat(ask(next(lease.getTask().getId()), "1", "make deploy").getOptionId())
        .isEqualTo("yes");
  }

  @Test
  void aButtonThatSaysAnotherThingThanTheSignatureChangesNothing() {
    Phone phone = Phone.withExtensions(core, "ada", "ada-1");
    TaskLease lease = begin();
    for (String pressed : List.of("no", "always", "unknown")) {
      String request = ask(lease, "1", "make " + pressed).getRequestId();
      Artifact shown = awaitAsked(phone);

      Decision yes = phone.sign(Phone.once(shown, Answer.ALLOW));
      phone.send(shown.requestId(), phone.submission(yes, Optional.of(pressed)));

      PermissionAnswer answer =
          awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED)
              .getResponse()
              .getAnswers(0);
      assertThat(answer.getApproved()).isTrue();
      assertThat(answer.hasOptionId()).isFalse();
      assertThat(answer.hasGrant()).isFalse();
      lease = next(lease.getTask().getId());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "command, command.review",
    "edit, patch.review",
    "plan, plan.review",
    "checkpoint, checkpoint.review",
    "tool_call, task.review"
  })
  void theKindOfAnActionSaysWhatIsReviewed(String kind, String type) {
    Phone phone = Phone.of(core, "ada", "ada-1");
    AskedAction action =
        AskedAction.newBuilder()
            .setKind(kind)
            .setContent(ByteString.copyFromUtf8("{\"steps\":[\"build\",\"deploy\"]}"))
            .build();
    var unused = ask(wanted(begin(), "1", "make").setAction(action));

    assertThat(awaitAsked(phone).type()).isEqualTo(type);
  }

  @Test
  void anArtifactIsSignedByTheServerThatAsks() throws Exception {
    Phone phone = Phone.of(core, "ada", "ada-1");
    var unused = ask(begin(), "1", "make deploy").getRequestId();

    Artifact shown = awaitAsked(phone);

    KeySet published =
        KeySet.parse(
            ReceiptServiceGrpc.newBlockingStub(core.owner())
                .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
                .getDocument()
                .toByteArray());
    assertThat(IssuerSignature.verify(shown, published)).isPresent();
    assertThat(IssuerSignature.verify(shown, KeySet.EMPTY)).isEmpty();
  }
}
