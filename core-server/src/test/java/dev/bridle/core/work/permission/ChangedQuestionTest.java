package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.VoidedApprovalReason;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawQuestionResponse;
import dev.bridle.worker.v1.WithdrawalReason;
import org.junit.jupiter.api.Test;

/** Requests whose agent says more of the action than it did when it asked. */
class ChangedQuestionTest extends AskedTasks {
  private static final String CHANGED = "vendor.bridle.permission_changed";

  private WithdrawQuestionResponse change(TaskLease lease, String key) {
    return core.workers()
        .withdrawQuestion(
            WithdrawQuestionRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey(key)
                .setReason(WithdrawalReason.WITHDRAWAL_REASON_CHANGED)
                .build());
  }

  private static RequestPermissionRequest.Builder held(TaskLease lease, String key) {
    return wanted(lease, key, "sh deploy.sh").setHold(Durations.fromSeconds(60));
  }

  private long changes(TaskLease lease) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals(CHANGED))
        .count();
  }

  @Test
  void anOpenRequestEndsWithAnEndOfItsOwnAndAnotherOneReplacesIt() {
    TaskLease lease = begin();
    String first = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);

    WithdrawQuestionResponse changed = change(lease, "q:1");

    assertThat(changed.getWithdrawn()).isTrue();
    assertThat(changed.getVoided()).isFalse();
    PermissionRequest ended = read(first);
    assertThat(ended.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    assertThat(ended.getResponse().getReason())
        .isEqualTo(PermissionReason.PERMISSION_REASON_CHANGED);
    assertThat(changes(lease)).isEqualTo(1);
    assertThat(core.eventsOf(lease.getTask().getId()))
        .noneMatch(event -> event.getEvent().equals("vendor.bridle.permission_expired"));
    Refusal.assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> approve("ada", first));

    TaskLease next = worker.lease();
    String second = ask(held(next, "q:2").setReplaces("q:1")).getRequestId();
    assertThat(read(second).getRequest().getReplaces()).isEqualTo(first);
    assertThat(approve("ada", second).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(change(next, "q:1").getWithdrawn()).as("a second time").isFalse();
  }

  @Test
  void anApprovalThatWasUsedBeforeTheChangeIsVoidAndSaysSo() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    approve("ada", id);
    TaskLease next = worker.lease();
    assertThat(ask(held(next, "q:1")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);

    assertThat(change(next, "q:1").getVoided()).isTrue();

    PermissionRequest voided = read(id);
    assertThat(voided.getResponse().getVoided().getReason())
        .isEqualTo(VoidedApprovalReason.VOIDED_APPROVAL_REASON_CHANGED);
    assertThat(voided.getResponse().getVoided().getWasUsed()).isTrue();
    assertThat(changes(next)).isEqualTo(1);
    assertThat(change(next, "q:1").getVoided()).as("the same call again").isTrue();
    assertThat(changes(next)).as("applied once").isEqualTo(1);
    assertThat(ask(held(next, "q:1")).getVerdict())
        .as("the same question again")
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
  }

  @Test
  void anApprovalThatWasNotUsedAllowsNothingAfterTheChange() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    approve("ada", id);
    TaskLease next = worker.lease();

    assertThat(change(next, "q:1").getVoided()).isTrue();

    assertThat(read(id).getResponse().getVoided().getWasUsed()).isFalse();
    RequestPermissionResponse again = ask(held(next, "q:2"));
    assertThat(again.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(again.getRequestId()).isNotEqualTo(id);
    assertThat(read(again.getRequestId()).getRequest().hasRepeats()).isFalse();
  }

  @Test
  void aDenialStands() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    deny("ada", id);
    TaskLease next = worker.lease();

    WithdrawQuestionResponse changed = change(next, "q:1");

    assertThat(changed.getWithdrawn()).isFalse();
    assertThat(changed.getVoided()).isFalse();
    assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
    assertThat(changes(next)).isZero();
    assertThat(core.task(next.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  @Test
  void whatAGrantHasAllowedIsVoidToo() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    respond("ada", said(id).setApproved(true).setGrant("this_action"));
    TaskLease next = worker.lease();
    var unused = ask(held(next, "q:1"));
    assertThat(ask(held(next, "q:2")).getGrantId()).isNotEmpty();

    assertThat(change(next, "q:2").getVoided()).isTrue();

    assertThat(ask(held(next, "q:2")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
    assertThat(changes(next)).isEqualTo(1);
  }

  @Test
  void aKeyThatNothingWasAskedUnderReplacesNothing() {
    TaskLease lease = begin();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "replaces",
        () -> ask(held(lease, "q:2").setReplaces("q:1")));
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "replaces",
        () -> ask(held(lease, "q:2").setReplaces("q:2")));
  }

  @Test
  void whatTheAgentSaysIsShownAndHashedAndNotInTheFingerprint() {
    TaskLease lease = begin();
    RequestPermissionRequest.Builder asked = held(lease, "q:1");
    asked.getActionBuilder().setSaid(ByteString.copyFromUtf8("{\"title\":\"Deploy\"}"));
    PermissionRequest one = read(ask(asked).getRequestId());
    worker.want(1);
    change(lease, "q:1");
    TaskLease next = worker.lease();
    RequestPermissionRequest.Builder other = held(next, "q:2");
    other.getActionBuilder().setSaid(ByteString.copyFromUtf8("{\"title\":\"Roll out\"}"));
    PermissionRequest two = read(ask(other).getRequestId());

    assertThat(one.getAction().getSaid().toStringUtf8()).contains("Deploy");
    assertThat(two.getAction().getFingerprint()).isEqualTo(one.getAction().getFingerprint());
    assertThat(two.getRequest().getContentHash()).isNotEqualTo(one.getRequest().getContentHash());
  }
}
