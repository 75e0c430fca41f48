package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.permission.v1.DelegatePermissionRequestRequest;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermissionTest extends AskedTasks {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict DENIED = PermissionVerdict.PERMISSION_VERDICT_DENIED;
  private static final PermissionVerdict EXPIRED = PermissionVerdict.PERMISSION_VERDICT_EXPIRED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;

  @Test
  void anApprovalIsUsedOnceAndTellsItsWholeStory() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    RequestPermissionResponse asked = ask(lease, "s", "ls");
    assertThat(asked.getVerdict()).isEqualTo(WAITING);
    assertThat(ask(lease, "s", "ls")).as("asked twice, as after a lost answer").isEqualTo(asked);
    assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_AUTH_REQUIRED);
    PermissionRequest pending = pendingOf(task);
    assertThat(pending.getId()).isEqualTo(asked.getRequestId());
    assertThat(pending.getWorkspaceId()).isEqualTo("default");
    assertThat(pending.getAction().getContent().toStringUtf8()).isEqualTo("{\"command\":\"ls\"}");
    assertThat(pending.hasResponse()).isFalse();

    PermissionRequest approved =
        respond(
            "ada",
            said(pending.getId())
                .setApproved(true)
                .setReason("looks fine")
                .setReviewer("Ada L.")
                .setContentHash(pending.getRequest().getContentHash()));

    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getAnswers(0).getActor()).isEqualTo("ada");
    assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    TaskLease rerun = next(task);
    RequestPermissionResponse allowed = ask(rerun, "s", "ls");
    assertThat(allowed.getVerdict()).isEqualTo(ALLOWED);
    assertThat(allowed.getOptionId()).isEqualTo("yes");
    assertThat(allowed.getReason()).isEqualTo("looks fine");
    assertThat(ask(rerun, "s", "ls")).as("the same call under the same lease").isEqualTo(allowed);
    assertThat(read(pending.getId()).getResponse().hasUsedAt()).isTrue();
    assertThat(core.kindsOf(task))
        .containsExactly(
            "task.submitted",
            "task.started",
            "tool.approval_required",
            "task.auth_required",
            "user.tool_confirmation",
            "tool.approved",
            "task.status_changed",
            "vendor.bridle.permission_used");
  }

  @Test
  void anApprovalThatWasUsedIsAskedForAgainUnderAnotherLease() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String first = ask(lease, "s", "ls").getRequestId();
    approve("ada", first);
    TaskLease rerun = next(task);
    assertThat(ask(rerun, "s", "ls").getVerdict()).isEqualTo(ALLOWED);
    var unused = core.workers().failTask(TestCore.failure(rerun, true));

    TaskLease third = next(task);
    RequestPermissionResponse again = ask(third, "s", "ls");

    assertThat(again.getVerdict()).isEqualTo(WAITING);
    assertThat(again.getRequestId()).isNotEqualTo(first);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_OUTCOME_UNKNOWN);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getRequestId())
        .isEqualTo(first);
  }

  @Test
  void anotherStepFindsTheApprovalOfTheSameActionAndNoneOfAnotherOne() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    approve("ada", ask(lease, "before the restart", "ls").getRequestId());
    TaskLease rerun = next(task);
    assertThat(ask(rerun, "after the restart", "ls").getVerdict()).isEqualTo(ALLOWED);
    RequestPermissionResponse twice = ask(rerun, "once more", "ls");
    assertThat(twice.getVerdict()).isEqualTo(WAITING);
    assertThat(read(twice.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_USED);
    approve("ada", twice.getRequestId());

    TaskLease third = next(task);
    assertThat(ask(third, "once more", "rm").getVerdict())
        .as("another action under the key of an approved one")
        .isEqualTo(WAITING);
  }

  @Test
  void aDenialIsToldToEveryLaterRun() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(lease, "s", "ls").getRequestId();
    PermissionRequest denied = respond("ada", said(id).setOutcome("rejected").setReason("no"));
    assertThat(denied.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
    assertThat(
            core.eventsOf(task).stream()
                .filter(event -> event.getEvent().equals("user.tool_confirmation"))
                .map(event -> event.getPayload().toStringUtf8()))
        .as("the event says that it was denied, instead of leaving out what is false")
        .singleElement()
        .asString()
        .contains("\"approved\":false");

    TaskLease rerun = next(task);
    RequestPermissionResponse told = ask(rerun, "s", "ls");
    assertThat(told.getVerdict()).isEqualTo(DENIED);
    assertThat(told.getReason()).isEqualTo("no");
    assertThat(told.getOptionId()).isEqualTo("no");
    assertThat(core.kindsOf(task)).contains("tool.denied").doesNotContain("tool.approved");
  }

  @Test
  void lateAndSecondAnswersHearWhoDecided() {
    TaskLease lease = begin();
    String id = ask(lease, "s", "ls").getRequestId();
    approve("ada", id);

    assertThatThrownBy(() -> deny("bob", id)).hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(() -> deny("ada", id)).hasMessageContaining("ALREADY_EXISTS");
    assertThat(read(id).getResponse().getAnswersList()).hasSize(1);
  }

  @Test
  void anAnswerAboutOtherContentIsRefused() {
    String id = ask(begin(), "s", "ls").getRequestId();

    assertThatThrownBy(() -> respond("ada", said(id).setApproved(true).setContentHash("sha256:00")))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(() -> respond("ada", said(id))).hasMessageContaining("INVALID_ARGUMENT");
    assertThatThrownBy(() -> respond("ada", said(id).setApproved(true).setOptionId("no")))
        .hasMessageContaining("INVALID_ARGUMENT");
    assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }

  @Test
  void aQuorumDecidesOnceItIsReachedAndCountsEachApproverOnce() {
    TaskLease lease = begin();
    String id =
        ask(wanted(lease, "s", "ls")
                .addAllApprovers(List.of("ada", "bob", "cy"))
                .setApproversRequired(2))
            .getRequestId();
    assertThat(approve("ada", id).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThatThrownBy(() -> approve("ada", id)).hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(() -> approve("eve", id)).hasMessageContaining("PERMISSION_DENIED");
    assertThat(deny("bob", id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    PermissionRequest decided = approve("cy", id);
    assertThat(decided.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(decided.getResponse().getAnswersList()).hasSize(3);
  }

  @Test
  void aQuorumIsDeniedOnceItCanNotBeReachedAnyMore() {
    String id =
        ask(wanted(begin(), "s", "ls")
                .addAllApprovers(List.of("ada", "bob"))
                .setApproversRequired(2))
            .getRequestId();
    assertThat(deny("bob", id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
  }

  @Test
  void oneDenialIsEnoughWhereAnybodyMayAnswer() {
    String open = ask(wanted(begin(), "s", "ls").setApproversRequired(2)).getRequestId();
    assertThat(approve("ada", open).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(deny("bob", open).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
  }

  @Test
  void whatIsPassedOnIsAnsweredByWhomItWasPassedTo() {
    String id = ask(wanted(begin(), "s", "ls").addApprovers("ada")).getRequestId();
    DelegatePermissionRequestRequest toBob =
        DelegatePermissionRequestRequest.newBuilder()
            .setRequestId(id)
            .setTo("bob")
            .setReason("away")
            .build();
    assertThatThrownBy(
            () -> PermissionServiceGrpc.newBlockingStub(as("eve")).delegatePermissionRequest(toBob))
        .hasMessageContaining("PERMISSION_DENIED");
    PermissionRequest passed =
        PermissionServiceGrpc.newBlockingStub(as("ada")).delegatePermissionRequest(toBob);
    assertThat(passed.getRequest().getApproversList()).containsExactly("bob");
    assertThat(passed.getRequest().getDelegations(0).getFrom()).isEqualTo("ada");

    assertThatThrownBy(() -> approve("ada", id)).hasMessageContaining("PERMISSION_DENIED");
    assertThat(approve("bob", id).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  @Test
  void whatNobodyDecidesExpiresAndIsNoDenial() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(within(wanted(lease, "s", "ls"), Duration.ofMillis(100))).getRequestId();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> core.task(task).getStatus() == TaskStatus.TASK_STATUS_WORKING);

    PermissionRequest expired = read(id);
    assertThat(expired.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    assertThat(expired.getResponse().getReason())
        .isEqualTo(PermissionReason.PERMISSION_REASON_TIMED_OUT);
    assertThat(expired.getResponse().hasApproved()).isFalse();
    assertThatThrownBy(() -> approve("ada", id)).hasMessageContaining("ALREADY_EXISTS");
    TaskLease rerun = next(task);
    assertThat(ask(rerun, "s", "ls").getVerdict()).isEqualTo(EXPIRED);
    RequestPermissionResponse anew = ask(rerun, "s again", "ls");
    assertThat(read(anew.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_EXPIRED);
    assertThat(core.kindsOf(task))
        .contains("vendor.bridle.permission_expired")
        .doesNotContain("tool.denied");
  }

  @Test
  void anApprovalThatIsUsedTooLateIsAskedForAgain() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(within(wanted(lease, "s", "ls"), Duration.ofSeconds(4))).getRequestId();
    approve("ada", id);
    long expires = Timestamps.toMillis(read(id).getRequest().getExpiresAt());
    await().until(() -> System.currentTimeMillis() > expires);

    RequestPermissionResponse again = ask(next(task), "s", "ls");

    assertThat(again.getVerdict()).isEqualTo(WAITING);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_LAPSED);
  }

  @Test
  void aTaskThatEndsClosesWhatItWaitsWith() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(lease, "s", "ls").getRequestId();
    var unused = core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());

    PermissionRequest closed = read(id);
    assertThat(closed.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    assertThat(closed.getResponse().getReason())
        .isEqualTo(PermissionReason.PERMISSION_REASON_TASK_ENDED);
    assertThatThrownBy(() -> approve("ada", id)).hasMessageContaining("ALREADY_EXISTS");
  }

  @Test
  void aQuestionInsteadOfAStopCancelsTheTask() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    var unused = core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());

    assertThat(ask(lease, "s", "ls").getVerdict()).isEqualTo(WAITING);
    assertThat(ask(lease, "s", "ls").getRequestId()).isEmpty();
    assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aParkedHandlerGetsItsTaskBackFirst() {
    TaskLease lease = begin();
    String id = ask(wanted(lease, "s", "ls").setHold(Durations.fromSeconds(60))).getRequestId();
    TestWorker other = new TestWorker(core.owner(), "", "w2");
    other.want(1);
    approve("ada", id);

    assertThat(other.next(Duration.ofMillis(200))).isEmpty();
    assertThat(next(lease.getTask().getId()).getResumed()).isTrue();
  }

  @Test
  void aConfirmationAsAMessageIsAnAnswerLikeAnyOther() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(lease, "s", "ls").getRequestId();
    var tasks = TaskServiceGrpc.newBlockingStub(as("bob"));
    assertThatThrownBy(() -> tasks.appendTaskMessage(confirmation(task, "{\"request_id\":\"no\"}")))
        .hasMessageContaining("NOT_FOUND");
    assertThatThrownBy(() -> tasks.appendTaskMessage(confirmation(task, "{\"approved\":\"yes\"}")))
        .hasMessageContaining("INVALID_ARGUMENT");
    AppendTaskMessageRequest.Builder hidden = confirmation(task, "{\"approved\":true}").toBuilder();
    hidden
        .getMessageBuilder()
        .getPartsBuilder(0)
        .getJsonBuilder()
        .setVisibility(Visibility.VISIBILITY_INTERNAL);
    assertThatThrownBy(() -> tasks.appendTaskMessage(hidden.build()))
        .as("an answer is shown to everyone who reads the request")
        .hasMessageContaining("INVALID_ARGUMENT");
    String narrow =
        core.core().processCredential("default", "narrow", Set.of("tasks:write", "tasks:read"));
    assertThatThrownBy(
            () ->
                TaskServiceGrpc.newBlockingStub(core.as(narrow))
                    .appendTaskMessage(confirmation(task, "{\"approved\":true}")))
        .hasMessageContaining("PERMISSION_DENIED");

    String message =
        tasks
            .appendTaskMessage(
                confirmation(
                    task, "{\"approved\":true,\"option_id\":\"always\",\"answer\":{\"n\":1.50}}"))
            .getId();

    PermissionRequest approved = read(id);
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getAnswers(0).getActor()).isEqualTo("bob");
    assertThat(approved.getResponse().getAnswers(0).getAnswer().toStringUtf8())
        .isEqualTo("{\"n\":1.50}");
    assertThat(
            core.eventsOf(task).stream()
                .filter(event -> event.getEvent().equals("user.tool_confirmation"))
                .map(event -> event.getPayload().toStringUtf8()))
        .singleElement()
        .asString()
        .contains(message);
    assertThat(ask(next(task), "s", "ls").getOptionId()).as("never told always").isEqualTo("yes");
    assertThatThrownBy(() -> tasks.appendTaskMessage(confirmation(task, "{\"approved\":true}")))
        .as("the task waits with nothing any more")
        .hasMessageContaining("FAILED_PRECONDITION");
    assertThatThrownBy(
            () ->
                tasks.appendTaskMessage(
                    confirmation(task, "{\"approved\":true,\"request_id\":\"" + id + "\"}")))
        .hasMessageContaining("ALREADY_EXISTS");
  }

  @Test
  void aPersonsWordIsNeverReplacedByAGrantNorOffersOne() {
    TaskLease lease = begin();
    RequestPermissionResponse asked =
        ask(wanted(lease, "s", "ls").setSource(PermissionSource.PERMISSION_SOURCE_HITL));

    assertThat(read(asked.getRequestId()).getRequest().getOfferedGrantsList()).isEmpty();
  }

  @Test
  void moreApproversThanAreNamedAreRefused() {
    TaskLease lease = begin();
    assertThatThrownBy(
            () -> ask(wanted(lease, "s", "ls").addApprovers("ada").setApproversRequired(2)))
        .hasMessageContaining("INVALID_ARGUMENT");
  }
}
