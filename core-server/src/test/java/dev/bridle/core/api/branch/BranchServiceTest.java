package dev.bridle.core.api.branch;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchKind;
import dev.bridle.branch.v1.BranchServiceGrpc;
import dev.bridle.branch.v1.BranchServiceGrpc.BranchServiceBlockingStub;
import dev.bridle.branch.v1.CreateSessionBranchRequest;
import dev.bridle.branch.v1.GetBranchRequest;
import dev.bridle.branch.v1.ListSessionBranchesRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import io.grpc.Channel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BranchServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private BranchServiceBlockingStub branches;
  private String session;
  private Branch made;

  @BeforeEach
  void aBranch() {
    owner = core.owner();
    branches = BranchServiceGrpc.newBlockingStub(owner);
    session = core.session(owner, CoreFixture.WORKSPACE);
    made = branches.createSessionBranch(described().build());
  }

  @Test
  void aBranchIsReadAndListedAsItWasMade() {
    assertThat(made.getSessionId()).isEqualTo(session);
    assertThat(made.getWorkspaceId()).isEqualTo(CoreFixture.WORKSPACE);
    assertThat(made.getCreatedBy()).isEqualTo("ada");
    assertThat(get(branches, made.getId())).isEqualTo(made);
    Branch child =
        branches.createSessionBranch(described().setParentBranchId(made.getId()).build());
    assertThat(
            branches
                .listSessionBranches(
                    ListSessionBranchesRequest.newBuilder().setSessionId(session).build())
                .getDataList())
        .containsExactly(child, made);
  }

  @Test
  void itIsToldInItsSessionAsAnEventOfItsOwn() {
    EventRecord told = core.lastEvent(session);

    assertThat(told.getEvent()).isEqualTo("branch.created");
    assertThat(told.getResourceObject()).isEqualTo("branch");
    assertThat(told.getResourceId()).isEqualTo(made.getId());
    assertThat(told.getSequence()).isZero();
    assertThat(told.getSessionId()).isEqualTo(session);
    assertThat(told.getPayload().toStringUtf8())
        .contains("\"branch_id\":\"" + made.getId() + '"', "\"kind\":\"sandbox\"");
  }

  @Test
  void whatItNamesMustBeThere() {
    String elsewhere =
        core.task(
                core.session(owner, CoreFixture.WORKSPACE),
                CoreFixture.WORKSPACE,
                TaskStatus.TASK_STATUS_COMPLETED)
            .getId();
    String own =
        core.task(session, CoreFixture.WORKSPACE, TaskStatus.TASK_STATUS_COMPLETED).getId();

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "parent_branch_id",
        () -> branches.createSessionBranch(described().setParentBranchId("none").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "task_id",
        () -> branches.createSessionBranch(described().setTaskId(elsewhere).build()));
    assertThat(branches.createSessionBranch(described().setTaskId(own).build()).getTaskId())
        .isEqualTo(own);
  }

  @Test
  void nothingLeavesAClosedSession() {
    var unused =
        SessionServiceGrpc.newBlockingStub(owner)
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> branches.createSessionBranch(described().build()));
  }

  @Test
  void whoDoesNotReachItsWorkspaceSeesNothingOfIt() {
    for (Channel stranger :
        new Channel[] {core.of(CoreFixture.TENANT, "elsewhere"), core.of("another")}) {
      BranchServiceBlockingStub theirs = BranchServiceGrpc.newBlockingStub(stranger);
      assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(theirs, made.getId()));
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          "",
          () -> theirs.createSessionBranch(described().build()));
    }
  }

  private CreateSessionBranchRequest.Builder described() {
    return CreateSessionBranchRequest.newBuilder()
        .setSessionId(session)
        .setKind(BranchKind.BRANCH_KIND_SANDBOX)
        .setBaseRef("main");
  }

  private static Branch get(BranchServiceBlockingStub branches, String id) {
    return branches.getBranch(GetBranchRequest.newBuilder().setBranchId(id).build());
  }
}
