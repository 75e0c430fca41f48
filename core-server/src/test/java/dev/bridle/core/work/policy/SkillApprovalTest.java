package dev.bridle.core.work.policy;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.skill.v1.CreateSkillRequest;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.skill.v1.UpdateSkillRequest;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkillApprovalTest {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;

  @TempDir Path directory;
  private TestCore core;
  private TestWorker worker;
  private Skill deploy;

  @BeforeEach
  void aSkillThatRequiresApproval() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    worker = new TestWorker(core.owner(), "", "w1");
    deploy = skill("deploy", true);
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aTierThatAllowsEverythingStillAsksBeforeASkillThatRequiresApproval() {
    Skill read = skill("read", false);
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_ACT_AUTO, deploy, read);

    assertThat(ask(lease, "1", "read", "").getVerdict()).isEqualTo(ALLOWED);
    assertThat(ask(lease, "2", "another", "").getVerdict()).isEqualTo(ALLOWED);
    RequestPermissionResponse asked = ask(lease, "3", "deploy", "");

    assertThat(asked.getVerdict()).isEqualTo(WAITING);
    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_AUTH_REQUIRED);
    approve(asked.getRequestId());
    assertThat(ask(next(), "3", "deploy", "").getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void anActionThatNamesTheSkillByItsIdOrSaysThatItChangesNothingAsksToo() {
    TaskLease byId = begin(AutonomyTier.AUTONOMY_TIER_ACT_AUTO, deploy);
    assertThat(ask(byId, "1", deploy.getId(), "").getVerdict()).isEqualTo(WAITING);
    TaskLease harmless = begin(AutonomyTier.AUTONOMY_TIER_SUGGEST, deploy);
    assertThat(ask(harmless, "1", "deploy", "none").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void whatTheTierRefusesIsNotAskedOfPeople() {
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_SHADOW, deploy);

    assertThat(ask(lease, "1", "deploy", "").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_SHADOWED);
  }

  @Test
  void aSkillOfNoConcernToTheSessionDoesNotCount() {
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_ACT_AUTO);

    assertThat(ask(lease, "1", "deploy", "").getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void theSkillIsReadAsItIsWhenTheWorkerAsks() {
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_ACT_AUTO, deploy);
    var unused =
        SkillServiceGrpc.newBlockingStub(core.owner())
            .updateSkill(
                UpdateSkillRequest.newBuilder()
                    .setSkillId(deploy.getId())
                    .setRequiresApproval(false)
                    .setUpdateMask(FieldMask.newBuilder().addPaths("requires_approval"))
                    .build());

    assertThat(ask(lease, "1", "deploy", "").getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void anActionThatAsksNoPeopleIsAllowedUnlessThePolicyIsAgainstIt() {
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL, deploy);

    assertThat(unasked(lease, "1", "read", "none").getVerdict()).isEqualTo(ALLOWED);
    assertThat(core.eventsOf(lease.getTask().getId()))
        .filteredOn(event -> event.getEvent().equals("vendor.bridle.action_allowed"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getPayload().toStringUtf8())
                    .contains("\"tool\":\"read\"", "\"side_effect\":\"none\""));
    assertThat(unasked(lease, "2", "deploy", "none").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void peopleCanOnlyBeLeftOutWhereNothingIsChanged() {
    TaskLease lease = begin(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL);

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "policy_only",
        () -> unasked(lease, "1", "read", "file_write"));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "policy_only", () -> unasked(lease, "1", "read", ""));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "policy_only",
        () ->
            core.workers()
                .requestPermission(
                    wanted(lease, "1", "read", "none")
                        .setPolicyOnly(true)
                        .setSource(PermissionSource.PERMISSION_SOURCE_HITL)
                        .build()));
  }

  private Skill skill(String name, boolean requiresApproval) {
    return SkillServiceGrpc.newBlockingStub(core.owner())
        .createSkill(
            CreateSkillRequest.newBuilder()
                .setName(name)
                .setDescription("Does it.")
                .setRequiresApproval(requiresApproval)
                .build());
  }

  private TaskLease begin(AutonomyTier tier, Skill... skills) {
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
    CreateSessionRequest.Builder session =
        CreateSessionRequest.newBuilder().setWorkspaceId("default").setPersonaId(persona);
    for (Skill skill : skills) {
      session.addSkillIds(skill.getId());
    }
    var unused =
        core.submit(
            SessionServiceGrpc.newBlockingStub(core.owner())
                .createSession(session.build())
                .getId());
    return next();
  }

  private TaskLease next() {
    worker.want(1);
    return worker.lease();
  }

  private RequestPermissionResponse ask(
      TaskLease lease, String step, String tool, String sideEffect) {
    return core.workers().requestPermission(wanted(lease, step, tool, sideEffect).build());
  }

  private RequestPermissionResponse unasked(
      TaskLease lease, String step, String tool, String sideEffect) {
    return core.workers()
        .requestPermission(wanted(lease, step, tool, sideEffect).setPolicyOnly(true).build());
  }

  private static RequestPermissionRequest.Builder wanted(
      TaskLease lease, String step, String tool, String sideEffect) {
    return WorkerRequests.permission(lease, step)
        .setAction(
            AskedAction.newBuilder()
                .setKind("tool_call")
                .setTool(tool)
                .setSideEffect(sideEffect)
                .setContent(ByteString.copyFromUtf8("{\"n\":1}")));
  }

  private void approve(String request) {
    var unused =
        PermissionServiceGrpc.newBlockingStub(
                core.as(core.core().processCredential("default", "ada", Set.of("*"))))
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(request)
                    .setApproved(true)
                    .build());
  }
}
