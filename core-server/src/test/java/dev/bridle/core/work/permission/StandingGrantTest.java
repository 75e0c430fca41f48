package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.permission.v1.GetPermissionGrantRequest;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.ListPermissionGrantsRequest;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionSource;
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
