package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.permission.v1.GetPermissionGrantRequest;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.ListPermissionGrantsRequest;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.permission.v1.RevokePermissionGrantRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandingGrantTest extends AskedTasks {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;

  @Test
  void aGrantOfAToolAllowsItsOtherActionsUntilItIsRevoked() {
    String grant = grant("this_tool");
    TaskLease lease = begin();
    RequestPermissionResponse allowed = ask(lease, "s", "whoami");
    assertThat(allowed.getVerdict()).isEqualTo(ALLOWED);
    assertThat(allowed.getGrantId()).isEqualTo(grant);
    assertThat(ask(lease, "s", "whoami")).isEqualTo(allowed);
    String task = lease.getTask().getId();
    assertThat(
            core.eventsOf(task).stream()
                .filter(event -> event.getEvent().equals("vendor.bridle.permission_used"))
                .map(event -> event.getPayload().toStringUtf8()))
        .as("one use, which names the grant")
        .singleElement()
        .asString()
        .contains(grant);
    var otherTool = wanted(lease, "other", "ls");
    otherTool.getActionBuilder().setTool("browser");
    assertThat(ask(otherTool).getVerdict()).isEqualTo(WAITING);

    RevokePermissionGrantRequest revoke =
        RevokePermissionGrantRequest.newBuilder().setGrantId(grant).setReason("enough").build();
    PermissionGrant revoked = people().revokePermissionGrant(revoke);
    assertThat(revoked.getRevokeReason()).isEqualTo("enough");
    assertThat(people().revokePermissionGrant(revoke)).as("revoked twice").isEqualTo(revoked);
    assertThat(ask(begin(), "s", "whoami").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void aGrantOfAnActionAllowsThatActionOnly() {
    String grant = grant("this_action");
    assertThat(ask(begin(), "s", "ls").getGrantId()).isEqualTo(grant);
    assertThat(ask(begin(), "s", "rm").getVerdict()).isEqualTo(WAITING);
    PermissionGrant read =
        people()
            .getPermissionGrant(GetPermissionGrantRequest.newBuilder().setGrantId(grant).build());
    assertThat(read.getScope()).isEqualTo(GrantScope.GRANT_SCOPE_ACTION);
    assertThat(read.getGrantedByList()).containsExactly("ada");
  }

  @Test
  void aGrantUntilATimeSaysWhen() {
    String id = ask(begin(), "s", "ls").getRequestId();
    PermissionRequest approved =
        respond("ada", said(id).setApproved(true).setGrant("this_action_today"));

    PermissionGrant grant = grants().get(0);
    assertThat(grant.getId()).isEqualTo(approved.getResponse().getGrantId());
    assertThat(grant.getUntil()).isEqualTo(approved.getRequest().getOfferedGrants(3).getUntil());
  }

  @Test
  void anAnswerMayEndAGrantEarlierThanOfferedButNotLater() {
    PermissionRequest asked = read(ask(begin(), "s", "ls").getRequestId());
    var offered = asked.getRequest().getOfferedGrants(3).getUntil();
    var later = offered.toBuilder().setSeconds(offered.getSeconds() + 1).build();
    var sooner = offered.toBuilder().setSeconds(offered.getSeconds() - 3600).build();
    var yes = said(asked.getId()).setApproved(true).setGrant("this_action_today");

    assertUntilRefused(yes.clone().setUntil(later));
    assertUntilRefused(yes.clone().setUntil(Timestamps.fromMillis(1)));
    assertUntilRefused(said(asked.getId()).setApproved(true).setUntil(sooner));
    respond("ada", yes.setUntil(sooner));

    assertThat(grants()).singleElement().extracting(PermissionGrant::getUntil).isEqualTo(sooner);
  }

  @Test
  void theEarliestEndThatAQuorumNamesIsTheGrants() {
    String id = ask(wanted(begin(), "s", "ls").setApproversRequired(2)).getRequestId();
    var first = read(id).getRequest().getOfferedGrants(3).getUntil();
    var sooner = first.toBuilder().setSeconds(first.getSeconds() - 60).build();
    respond("ada", said(id).setApproved(true).setGrant("this_action_today").setUntil(sooner));
    respond("bob", said(id).setApproved(true).setGrant("this_action_today"));

    assertThat(grants()).singleElement().extracting(PermissionGrant::getUntil).isEqualTo(sooner);
  }

  @Test
  void aWorkerMayAskForGrantsOfTheSessionOnly() {
    String id = ask(wanted(begin(), "s", "ls").setSessionGrantsOnly(true)).getRequestId();

    assertThat(read(id).getRequest().getOfferedGrantsList())
        .extracting(OfferedGrant::getId)
        .contains("this_action", "this_session", "this_action_today")
        .doesNotContain("this_workspace");
    assertThatThrownBy(() -> respond("ada", said(id).setApproved(true).setGrant("this_workspace")))
        .hasMessageContaining("INVALID_ARGUMENT");
  }

  @Test
  void aGrantForTheWorkspaceAllowsTheSameActionInAnotherSessionUntilItIsRevoked() {
    String grant = grant("this_workspace");
    var unused =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
    session = core.newSession();

    assertThat(ask(begin(), "s", "ls").getGrantId()).isEqualTo(grant);
    assertThat(ask(begin(), "s", "rm").getVerdict()).isEqualTo(WAITING);
    PermissionGrant read =
        people()
            .getPermissionGrant(GetPermissionGrantRequest.newBuilder().setGrantId(grant).build());
    assertThat(read.getScope()).isEqualTo(GrantScope.GRANT_SCOPE_WORKSPACE);
    assertThat(read.getWorkspaceId()).isEqualTo("default");
    assertThat(read.hasUntil()).isTrue();

    var revoked =
        people()
            .revokePermissionGrant(
                RevokePermissionGrantRequest.newBuilder().setGrantId(grant).build());
    assertThat(revoked.hasRevokedAt()).isTrue();
    assertThat(ask(begin(), "s", "ls").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void noGrantIsOfferedForAProtectedFileNorCoversOne() {
    grant("this_session");
    var edit = wanted(begin(), "s", "x");
    edit.getActionBuilder()
        .setKind("edit")
        .setContent(ByteString.copyFromUtf8("{\"path\":\".git/hooks/pre-commit\"}"));

    RequestPermissionResponse asked = ask(edit);

    assertThat(asked.getVerdict()).isEqualTo(WAITING);
    assertThat(read(asked.getRequestId()).getRequest().getOfferedGrantsList()).isEmpty();
  }

  private void assertUntilRefused(RespondPermissionRequestRequest.Builder answer) {
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "until", () -> respond("ada", answer));
  }

  @Test
  void aGrantOfTheSessionEndsWithIt() {
    grant("this_session");
    TaskLease lease = begin();
    var any = wanted(lease, "s", "anything");
    any.getActionBuilder().setTool("whatever");
    assertThat(ask(any).getVerdict()).isEqualTo(ALLOWED);
    var word = wanted(lease, "hitl", "anything");
    assertThat(ask(word.setSource(PermissionSource.PERMISSION_SOURCE_HITL)).getVerdict())
        .as("a person's word")
        .isEqualTo(WAITING);
    TaskLease open = begin();
    var unused =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());

    assertThat(ask(open, "s", "anything").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void aQuorumGrantsOnlyWhatAllOfItNamed() {
    String id = ask(wanted(begin(), "s", "ls").setApproversRequired(2)).getRequestId();
    respond("ada", said(id).setApproved(true).setGrant("this_tool"));
    approve("bob", id);

    assertThat(read(id).getResponse().hasGrantId()).isFalse();
    assertThat(grants()).isEmpty();
  }

  @Test
  void aGrantOfOnePersonAllowsNothingForWhichAnAgentAsksForMoreOrOthers() {
    grant("this_session");

    assertThat(ask(wanted(begin(), "s", "ls").setApproversRequired(2)).getVerdict())
        .isEqualTo(WAITING);
    assertThat(ask(wanted(begin(), "s", "ls").addApprovers("carl")).getVerdict())
        .isEqualTo(WAITING);
    assertThat(ask(wanted(begin(), "s", "ls").addApprovers("ada")).getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void anApprovalThatIsNotUsedYetIsNoneForWhatAsksForOthers() {
    TaskLease lease = begin();
    approve("ada", ask(lease, "s", "ls").getRequestId());
    TaskLease resumed = next(lease.getTask().getId());

    assertThat(ask(wanted(resumed, "s", "ls").addApprovers("carl")).getVerdict())
        .isEqualTo(WAITING);
  }

  @Test
  void aGrantThatIsNotOfferedIsRefused() {
    String id = ask(begin(), "s", "ls").getRequestId();

    assertThatThrownBy(() -> respond("ada", said(id).setApproved(true).setGrant("everything")))
        .hasMessageContaining("INVALID_ARGUMENT");
    assertThatThrownBy(() -> respond("ada", said(id).setApproved(false).setGrant("this_tool")))
        .hasMessageContaining("INVALID_ARGUMENT");
  }

  private String grant(String offered) {
    String id = ask(begin(), "grant", "ls").getRequestId();
    String grant =
        respond("ada", said(id).setApproved(true).setGrant(offered)).getResponse().getGrantId();
    TaskLease lease = next(read(id).getTaskId());
    assertThat(ask(lease, "grant", "ls").getVerdict()).isEqualTo(ALLOWED);
    return grant;
  }

  private List<PermissionGrant> grants() {
    return people()
        .listPermissionGrants(
            ListPermissionGrantsRequest.newBuilder().setSessionId(session).build())
        .getDataList();
  }
}
