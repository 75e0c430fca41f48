package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.DelegatePermissionRequestRequest;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.receipt.v1.ListReceiptsRequest;
import dev.bridle.receipt.v1.Receipt;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Who acts does not permit it, unless nobody else in the tenant could. */
class SeparationTest extends AskedTasks {
  private static final List<String> ALL = List.of("*");

  private PermissionRequest answeredByItsOwn(String request) {
    return people().respondPermissionRequest(said(request).setApproved(true).build());
  }

  private static void refusedAs(String reason, Callable<?> call) {
    ErrorDetail refused = Refusal.of(call::call);
    assertThat(refused.getCode()).isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
    assertThat(refused.getDetails().toStringUtf8()).contains("\"reason\":\"" + reason + '"');
  }

  @Test
  void whoseWorkerAsksDoesNotAnswerWhereSomebodyElseCan() {
    Channel ben = core.as("ben", ALL, List.of());
    TaskLease lease = begin();
    String request = ask(lease, "1", "deploy").getRequestId();

    refusedAs("own_task", () -> answeredByItsOwn(request));
    assertThat(read(request).getResponse().getAnswersList()).as("nothing of it is kept").isEmpty();

    PermissionRequest approved =
        PermissionServiceGrpc.newBlockingStub(ben)
            .respondPermissionRequest(said(request).setApproved(true).build());
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getAnswers(0).hasSelfAnswered()).isFalse();
  }

  @Test
  void itDoesNotDenyOrAnswerByAMessageEither() {
    var unused = core.as("ben", ALL, List.of());
    TaskLease lease = begin();
    String request = ask(lease, "1", "deploy").getRequestId();

    refusedAs(
        "own_task",
        () -> people().respondPermissionRequest(said(request).setApproved(false).build()));
    refusedAs(
        "own_task",
        () ->
            core.tasks()
                .appendTaskMessage(confirmation(lease.getTask().getId(), "{\"approved\":true}")));
  }

  @Test
  void anotherKeyOfTheSameActorIsTheSameActor() {
    var unused = core.as("ben", ALL, List.of());
    TaskLease lease = begin();
    String request = ask(lease, "1", "deploy").getRequestId();
    Channel second = core.as(actorOf(lease), ALL, List.of());

    refusedAs(
        "own_task",
        () ->
            PermissionServiceGrpc.newBlockingStub(second)
                .respondPermissionRequest(said(request).setApproved(true).build()));
  }

  @Test
  void whoIsAloneAnswersAndAnswerEventAndReceiptSaySo() {
    var unusedKey = core.as("reader", List.of("tasks:read"), List.of());
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String request = ask(lease, "1", "deploy").getRequestId();

    PermissionRequest approved = answeredByItsOwn(request);

    assertThat(approved.getResponse().getAnswers(0).getSelfAnswered()).isTrue();
    assertThat(core.eventsOf(task))
        .filteredOn(event -> event.getEvent().equals("user.tool_confirmation"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getPayload().toStringUtf8()).contains("\"self_answered\":true"));
    TaskLease again = next(task);
    assertThat(ask(again, "1", "deploy").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    var unused = core.workers().completeTask(WorkerRequests.complete(again).build());
    assertThat(receiptsOf(task)).contains("\"self_answered\":true");
  }

  private String receiptsOf(String task) {
    StringBuilder all = new StringBuilder();
    for (Receipt receipt :
        ReceiptServiceGrpc.newBlockingStub(core.owner())
            .listReceipts(ListReceiptsRequest.newBuilder().setTaskId(task).build())
            .getDataList()) {
      all.append(receipt.getWire().getPayload().toStringUtf8());
    }
    return all.toString();
  }

  @Test
  void aRequestIsNotDelegatedToWhoAsks() {
    Channel ben = core.as("ben", ALL, List.of());
    TaskLease lease = begin();
    String request = ask(wanted(lease, "1", "deploy").addApprovers("ben")).getRequestId();

    refusedAs(
        "own_task",
        () ->
            PermissionServiceGrpc.newBlockingStub(ben)
                .delegatePermissionRequest(
                    DelegatePermissionRequestRequest.newBuilder()
                        .setRequestId(request)
                        .setTo(actorOf(lease))
                        .build()));
  }

  private String actorOf(TaskLease lease) {
    return core.record(lease.getTask().getId()).getLease().getActor();
  }

  @Test
  void anAgentDoesNotNameItsOwnActorAsApprover() {
    TaskLease lease = begin();

    assertThatThrownBy(() -> ask(wanted(lease, "1", "deploy").addApprovers(actorOf(lease))))
        .hasMessageContaining("must not name the actor that asks");
  }

  @Test
  void whoHasSubmittedTheTaskDoesNotAnswerWhereARuleSaysSo() {
    assertThatThrownBy(this::notSubmitter)
        .as("nobody else could answer")
        .hasMessageContaining("Only one actor can answer permission requests");
    Channel ben = core.as("ben", ALL, List.of());
    Channel eve = core.as("eve", ALL, List.of());
    notSubmitter();
    Task task =
        TaskServiceGrpc.newBlockingStub(ben).submitSessionTask(TestCore.submission(session));
    TaskLease lease = next(task.getId());
    PermissionRequest asked = read(ask(lease, "1", "deploy").getRequestId());
    RespondPermissionRequestRequest yes = said(asked.getId()).setApproved(true).build();

    assertThat(asked.getRequest().getPolicy().getNotSubmitter()).isTrue();
    refusedAs(
        "not_submitter",
        () -> PermissionServiceGrpc.newBlockingStub(ben).respondPermissionRequest(yes));
    assertThat(PermissionServiceGrpc.newBlockingStub(eve).respondPermissionRequest(yes).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(ask(wanted(next(task.getId()), "2", "deploy").addApprovers("ben")).getVerdict())
        .as("the only approver that the agent names has submitted the task")
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
  }

  @Test
  void whoHasSubmittedAParentDoesNotAnswerForWhatAgentsMakeOfItEither() {
    Channel ben = core.as("ben", ALL, List.of());
    Channel eve = core.as("eve", ALL, List.of());
    notSubmitter();
    Task parent =
        TaskServiceGrpc.newBlockingStub(ben).submitSessionTask(TestCore.submission(session));
    var unused = next(parent.getId());
    Task child =
        core.tasks()
            .submitSessionTask(
                TestCore.submission(session).toBuilder().setParentTaskId(parent.getId()).build());
    String request = ask(next(child.getId()), "1", "deploy").getRequestId();
    RespondPermissionRequestRequest yes = said(request).setApproved(true).build();

    refusedAs(
        "not_submitter",
        () -> PermissionServiceGrpc.newBlockingStub(ben).respondPermissionRequest(yes));
    assertThat(PermissionServiceGrpc.newBlockingStub(eve).respondPermissionRequest(yes).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  private void notSubmitter() {
    var unused =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRule(
                CreateApprovalRuleRequest.newBuilder()
                    .setName("four eyes")
                    .setNotSubmitter(true)
                    .build());
  }

  @Test
  void anApprovalOfAnActorDoesNotLetItsOwnWorkerAct() {
    Channel ben = core.as("ben", ALL, List.of());
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String request = ask(lease, "1", "deploy").getRequestId();
    var unused =
        PermissionServiceGrpc.newBlockingStub(ben)
            .respondPermissionRequest(
                said(request).setApproved(true).setGrant("this_session").build());

    try (TestWorker bens = new TestWorker(ben, "", "w2")) {
      bens.want(1);
      TaskLease again = bens.lease();
      assertThat(again.getTask().getId()).isEqualTo(task);
      WorkerServiceBlockingStub worker = WorkerServiceGrpc.newBlockingStub(ben);

      assertThat(worker.requestPermission(wanted(again, "1", "deploy").build()).getVerdict())
          .as("by the approval")
          .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    }
  }

  @Test
  void whoMakesAWorkspaceOfItsOwnIsNotAloneInTheTenant() {
    var unused = core.as("ben", ALL, List.of("default"));
    Workspace own =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("own").setRoot("stored:").build());
    session =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(own.getId()).build())
            .getId();
    String request = ask(begin(), "1", "deploy").getRequestId();

    refusedAs("own_task", () -> answeredByItsOwn(request));
  }
}
