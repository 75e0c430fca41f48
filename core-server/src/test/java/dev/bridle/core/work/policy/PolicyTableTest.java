package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRoleServiceGrpc;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRoleRequest;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.ExplainActionRequest;
import dev.bridle.permission.v1.ExplainActionResponse;
import dev.bridle.permission.v1.GetPermissionRequestRequest;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tier, kind of action and approval rules as a table; an explanation says what the gate does. */
class PolicyTableTest {
  @TempDir Path directory;
  private TestCore core;
  private TestWorker worker;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    worker = new TestWorker(core.owner(), "", "w1");
    var unused =
        ApprovalRoleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRole(
                CreateApprovalRoleRequest.newBuilder().setName("sre").addActors("ada").build());
    rule(
        CreateApprovalRuleRequest.newBuilder()
            .setName("commands")
            .addKinds("command")
            .setApprovers(2));
    rule(
        CreateApprovalRuleRequest.newBuilder()
            .setName("deployments")
            .addCommands("deploy")
            .addRoles(ApprovalRoleCount.newBuilder().setRole("sre").setCount(1)));
  }

  @AfterEach
  void stop() {
    core.close();
  }

  private void rule(CreateApprovalRuleRequest.Builder rule) {
    var unused =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner()).createApprovalRule(rule.build());
  }

  @ParameterizedTest(name = "{0}, {1} ''{2}'' with the side effect ''{3}'': {4}")
  @CsvSource({
    // tier, kind, command, side effect, explained, verdict, approvers, roles
    "ACT_AUTO, tool_call, ls, '', ALLOWED, ALLOWED, 0, 0",
    "ACT_AUTO, tool_call, deploy, '', ASKED, WAITING, 1, 1",
    "ACT_AUTO, command, ls, '', ASKED, WAITING, 2, 0",
    "ACT_AUTO, command, deploy, '', ASKED, WAITING, 2, 1",
    "ACT_AUTO, command, deploy, none, ASKED, WAITING, 2, 1",
    "ACT_WITH_APPROVAL, tool_call, ls, '', ASKED, WAITING, 1, 0",
    "ACT_WITH_APPROVAL, command, deploy, '', ASKED, WAITING, 2, 1",
    "SUGGEST, tool_call, ls, none, ALLOWED, ALLOWED, 0, 0",
    "SUGGEST, tool_call, deploy, none, ASKED, WAITING, 1, 1",
    "SUGGEST, command, deploy, '', PROPOSED, PROPOSED, 0, 0",
    "SHADOW, tool_call, ls, none, ALLOWED, ALLOWED, 0, 0",
    "SHADOW, command, deploy, '', SHADOWED, SHADOWED, 0, 0",
  })
  void theTierDecidesAndRulesOnlyAdd(
      String tier,
      String kind,
      String command,
      String sideEffect,
      String explained,
      String verdict,
      int approvers,
      int roles) {
    TaskLease lease = begin(AutonomyTier.valueOf("AUTONOMY_TIER_" + tier));
    ByteString content = ByteString.copyFromUtf8("{\"command\":\"" + command + "\"}");
    ExplainActionResponse explanation =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
            .explainAction(
                ExplainActionRequest.newBuilder()
                    .setSessionId(lease.getTask().getSessionId())
                    .setKind(kind)
                    .setContent(content)
                    .setSideEffect(sideEffect)
                    .build());
    RequestPermissionRequest asked =
        WorkerRequests.permission(lease, "1")
            .setAction(
                AskedAction.newBuilder()
                    .setKind(kind)
                    .setContent(content)
                    .setSideEffect(sideEffect))
            .build();

    RequestPermissionResponse answer = core.workers().requestPermission(asked);

    assertThat(explanation.getDecision().name()).isEqualTo("ACTION_DECISION_" + explained);
    assertThat(answer.getVerdict().name()).isEqualTo("PERMISSION_VERDICT_" + verdict);
    if (approvers > 0) {
      PermissionQuestion question =
          PermissionServiceGrpc.newBlockingStub(core.owner())
              .getPermissionRequest(
                  GetPermissionRequestRequest.newBuilder()
                      .setRequestId(answer.getRequestId())
                      .build())
              .getRequest();
      assertThat(question.getApproversRequired()).isEqualTo(approvers);
      assertThat(question.getPolicy().getRolesCount()).isEqualTo(roles);
      assertThat(explanation.getPolicy()).isEqualTo(question.getPolicy());
    }
  }

  private TaskLease begin(AutonomyTier tier) {
    String persona =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .createPersona(
                CreatePersonaRequest.newBuilder()
                    .setName("Releaser")
                    .setVersion("1")
                    .setEntryWorkflow("release.harn")
                    .setDescription("Releases")
                    .setAutonomyTier(tier)
                    .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
                    .build())
            .getId();
    var unused =
        core.submit(
            SessionServiceGrpc.newBlockingStub(core.owner())
                .createSession(
                    CreateSessionRequest.newBuilder()
                        .setWorkspaceId("default")
                        .setPersonaId(persona)
                        .build())
                .getId());
    worker.want(1);
    return worker.lease();
  }
}
