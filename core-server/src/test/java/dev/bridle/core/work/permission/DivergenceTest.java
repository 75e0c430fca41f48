package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.GetPermissionGrantRequest;
import dev.bridle.permission.v1.VoidedApprovalReason;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.Test;

/** Actions that are not the ones that were allowed. */
class DivergenceTest extends AskedTasks {
  private static final String DIFFERENT = "vendor.bridle.acted_differently";

  private static RequestPermissionRequest.Builder held(TaskLease lease, String key) {
    return wanted(lease, key, "ls").setHold(Durations.fromSeconds(60));
  }

  private ReportDivergenceResponse diverge(TaskLease lease, String key, String question) {
    return diverge(lease, key, question, "");
  }

  private ReportDivergenceResponse diverge(
      TaskLease lease, String key, String question, String tool) {
    return core.workers()
        .reportDivergence(
            ReportDivergenceRequest.newBuilder()
                .setToolName(tool)
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey(key)
                .setQuestionStepKey(question)
                .setTitle("ls")
                .setDifference(
                    ByteString.copyFromUtf8(
                        "{\"command\":{\"allowed\":\"ls\",\"acted\":\"rm -r .\"}}"))
                .build());
  }

  private long events(TaskLease lease) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals(DIFFERENT))
        .count();
  }

  @Test
  void theApprovalIsMarkedAndItsGrantRevokedOnce() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    respond("ada", said(id).setApproved(true).setGrant("this_session"));
    TaskLease next = worker.lease();
    var unused = ask(held(next, "q:1"));
    String grant = read(id).getResponse().getGrantId();

    ReportDivergenceResponse reported = diverge(next, "d:1", "q:1");

    assertThat(reported.getPermissionRequestId()).isEqualTo(id);
    assertThat(reported.getRevokedGrantIdsList()).containsExactly(grant);
    assertThat(read(id).getResponse().getVoided().getReason())
        .isEqualTo(VoidedApprovalReason.VOIDED_APPROVAL_REASON_ACTED_DIFFERENTLY);
    assertThat(read(id).getResponse().getVoided().getWasUsed()).isTrue();
    assertThat(
            people()
                .getPermissionGrant(
                    GetPermissionGrantRequest.newBuilder().setGrantId(grant).build())
                .hasRevokedAt())
        .isTrue();
    assertThat(ask(held(next, "q:2")).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(events(next)).isEqualTo(1);
  }

  @Test
  void aNameThatIsFirstSaidAfterTheAnswerCountsOnlyWhereARuleNamesTheTool() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    approve("ada", id);
    TaskLease next = worker.lease();
    var unused = ask(held(next, "q:1"));
    var unusedRule =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRule(
                CreateApprovalRuleRequest.newBuilder()
                    .setName("deletions")
                    .addTools("delete_file")
                    .setApprovers(2)
                    .build());

    assertThat(diverge(next, "d:1", "q:1", "list_files").getActedDifferently()).isFalse();
    assertThat(read(id).getResponse().hasVoided()).isFalse();
    assertThat(events(next)).isZero();

    assertThat(diverge(next, "d:2", "q:1", "delete_file").getActedDifferently()).isTrue();
    assertThat(read(id).getResponse().hasVoided()).isTrue();
    assertThat(events(next)).isEqualTo(1);
  }

  @Test
  void aRepeatedReportChangesNothing() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    approve("ada", id);
    TaskLease next = worker.lease();
    var unused = ask(held(next, "q:1"));

    diverge(next, "d:1", "q:1");
    assertThat(diverge(next, "d:1", "q:1").getPermissionRequestId()).isEqualTo(id);

    assertThat(events(next)).isEqualTo(1);
  }

  @Test
  void theGrantThatHasAllowedItIsRevoked() {
    TaskLease lease = begin();
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    respond("ada", said(id).setApproved(true).setGrant("this_action"));
    TaskLease next = worker.lease();
    var unused = ask(held(next, "q:1"));
    String grant = ask(held(next, "q:2")).getGrantId();

    ReportDivergenceResponse reported = diverge(next, "d:1", "q:2");

    assertThat(reported.getPermissionRequestId()).isEmpty();
    assertThat(reported.getRevokedGrantIdsList()).containsExactly(grant);
    assertThat(read(id).getResponse().hasVoided()).as("what was done as approved").isFalse();
  }

  @Test
  void whatWasNotAllowedCanNotDiverge() {
    TaskLease lease = begin();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> diverge(lease, "d:1", "q:1"));
    String id = ask(held(lease, "q:1")).getRequestId();
    worker.want(1);
    deny("ada", id);
    TaskLease next = worker.lease();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> diverge(next, "d:1", "q:1"));
    assertThat(events(next)).isZero();
  }
}
