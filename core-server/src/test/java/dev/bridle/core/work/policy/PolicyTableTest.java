package dev.bridle.core.work.policy;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.permission.AnswerChannels;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRoleServiceGrpc;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRoleRequest;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.ExplainActionRequest;
import dev.bridle.permission.v1.ExplainActionResponse;
import dev.bridle.permission.v1.GetPermissionRequestRequest;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiers, kinds of actions and approval rules as tables; an explanation says what the gate does. */
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
                CreateApprovalRoleRequest.newBuilder()
                    .setName("sre")
                    .addActors("ada")
                    .addActors("carl")
                    .build());
    var unusedLegal =
        ApprovalRoleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRole(
                CreateApprovalRoleRequest.newBuilder()
                    .setName("legal")
                    .addActors("carl")
                    .addActors("dora")
                    .build());
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
    TaskLease lease = begin(persona(AutonomyTier.valueOf("AUTONOMY_TIER_" + tier), "1"));
    ByteString content = content(kind, command);
    AskedAction action =
        AskedAction.newBuilder()
            .setKind(kind)
            .setContent(content)
            .setSideEffect(sideEffect)
            .build();
    ExplainActionResponse explanation = explain(lease, action);

    RequestPermissionResponse answer = ask(lease, action);

    assertThat(explanation.getDecision().name()).isEqualTo("ACTION_DECISION_" + explained);
    assertThat(answer.getVerdict().name()).isEqualTo("PERMISSION_VERDICT_" + verdict);
    if (approvers > 0) {
      PermissionQuestion question = read(answer.getRequestId()).getRequest();
      assertThat(question.getApproversRequired()).isEqualTo(approvers);
      assertThat(question.getPolicy().getRolesCount()).isEqualTo(roles);
      assertThat(explanation.getPolicy()).isEqualTo(question.getPolicy());
    }
  }

  /** What has a command is one, whatever its kind is said to be. */
  private static ByteString content(String kind, String text) {
    String member = kind.equals("command") ? "command" : "line";
    return ByteString.copyFromUtf8("{\"" + member + "\":\"" + text + "\"}");
  }

  /** Channels that rules of a row take answers by, each in a rule of its own. */
  private enum Channels {
    ANY,
    WEBSOCKET,
    CONTRARY;

    List<ApprovalChannel> ofRules() {
      return switch (this) {
        case ANY -> List.of();
        case WEBSOCKET -> List.of(ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET);
        case CONTRARY ->
            List.of(
                ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET, ApprovalChannel.APPROVAL_CHANNEL_REST);
      };
    }
  }

  /**
   * A row of the product.
   *
   * @param kind a command has a side effect and needs two approvers; a tool call reads only
   * @param roles those of which members must approve, for one rule
   * @param count how many members of each
   */
  private record Row(
      String kind, AutonomyTier tier, Channels channels, List<String> roles, int count) {
    /** The command that rules select the row by. */
    String command() {
      return "make " + channels + " " + String.join(" ", roles) + " " + count;
    }

    List<ApprovalRoleCount> counts() {
      return roles.stream()
          .map(role -> ApprovalRoleCount.newBuilder().setRole(role).setCount(count).build())
          .toList();
    }

    boolean isCommand() {
      return kind.equals("command");
    }

    boolean isRuled() {
      return isCommand() || channels != Channels.ANY || !roles.isEmpty();
    }

    /** What becomes of the action, as an explanation says it. */
    String decision() {
      if (isCommand() && tier == AutonomyTier.AUTONOMY_TIER_SUGGEST) {
        return "PROPOSED";
      }
      if (isCommand() && tier == AutonomyTier.AUTONOMY_TIER_SHADOW) {
        return "SHADOWED";
      }
      if (channels == Channels.CONTRARY) {
        return "DENIED";
      }
      return isRuled() || tier == AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL
          ? "ASKED"
          : "ALLOWED";
    }

    int approvers() {
      return Math.max(isCommand() ? 2 : 1, roles.isEmpty() ? 1 : count);
    }

    /**
     * How many approve until it is approved: bob (no role), ada (sre), carl (both), dora (legal).
     */
    int answers() {
      return switch (roles.size()) {
        case 0 -> approvers();
        case 1 -> 1 + count;
        default -> 2 + count;
      };
    }
  }

  @TestFactory
  Stream<DynamicTest> kindTierChannelRoleAndCountTogetherSayWhoMayAllowAnAction() {
    List<Row> rows = new ArrayList<>();
    for (String kind : List.of("tool_call", "command")) {
      for (AutonomyTier tier :
          List.of(
              AutonomyTier.AUTONOMY_TIER_ACT_AUTO,
              AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL,
              AutonomyTier.AUTONOMY_TIER_SUGGEST,
              AutonomyTier.AUTONOMY_TIER_SHADOW)) {
        for (Channels channels : Channels.values()) {
          rows.add(new Row(kind, tier, channels, List.of(), 0));
          for (int count = 1; count <= 2; count++) {
            rows.add(new Row(kind, tier, channels, List.of("sre"), count));
            rows.add(new Row(kind, tier, channels, List.of("legal", "sre"), count));
          }
        }
      }
    }
    makeRules(rows);
    return rows.stream()
        .map(row -> DynamicTest.dynamicTest(row.toString(), () -> check(row, rows.indexOf(row))));
  }

  private void check(Row row, int number) {
    String persona = persona(row.tier(), "row-" + number);
    TaskLease lease = begin(persona);
    AskedAction action =
        AskedAction.newBuilder()
            .setKind(row.kind())
            .setContent(content(row.kind(), row.command()))
            .setSideEffect(row.isCommand() ? "" : "none")
            .build();

    ExplainActionResponse explanation = explain(lease, action);
    RequestPermissionResponse answer = ask(lease, action);

    String verdict = row.decision().equals("ASKED") ? "WAITING" : row.decision();
    assertThat(explanation.getDecision().name()).isEqualTo("ACTION_DECISION_" + row.decision());
    assertThat(answer.getVerdict().name()).isEqualTo("PERMISSION_VERDICT_" + verdict);
    if (verdict.equals("WAITING")) {
      checkQuestion(row, read(answer.getRequestId()).getRequest(), explanation);
      checkAnswers(row, answer.getRequestId());
    }
    // What waits or runs is limited.
    var unused =
        core.tasks()
            .cancelTask(CancelTaskRequest.newBuilder().setTaskId(lease.getTask().getId()).build());
  }

  /** Makes one rule for each channel, and for each combination of roles and a count. */
  private void makeRules(List<Row> rows) {
    Map<ApprovalChannel, Set<String>> ofChannels = new EnumMap<>(ApprovalChannel.class);
    Map<List<ApprovalRoleCount>, Set<String>> ofRoles = new LinkedHashMap<>();
    for (Row row : rows) {
      for (ApprovalChannel channel : row.channels().ofRules()) {
        ofChannels.computeIfAbsent(channel, key -> new TreeSet<>()).add(row.command());
      }
      if (!row.roles().isEmpty()) {
        ofRoles.computeIfAbsent(row.counts(), key -> new TreeSet<>()).add(row.command());
      }
    }
    ofChannels.forEach(
        (channel, commands) ->
            rule(
                CreateApprovalRuleRequest.newBuilder()
                    .setName(channel.name())
                    .addAllCommands(commands)
                    .addChannels(channel)));
    ofRoles.forEach(
        (counts, commands) ->
            rule(
                CreateApprovalRuleRequest.newBuilder()
                    .setName("roles of " + commands)
                    .addAllCommands(commands)
                    .addAllRoles(counts)));
  }

  private static void checkQuestion(
      Row row, PermissionQuestion question, ExplainActionResponse explanation) {
    assertThat(question.getApproversRequired()).isEqualTo(row.approvers());
    assertThat(question.hasPolicy()).isEqualTo(row.isRuled());
    assertThat(question.getPolicy().getChannelsList()).isEqualTo(row.channels().ofRules());
    assertThat(question.getPolicy().getRolesList()).isEqualTo(row.counts());
    assertThat(explanation.getPolicy()).isEqualTo(question.getPolicy());
  }

  private void checkAnswers(Row row, String request) {
    List<String> approvers = List.of("bob", "ada", "carl", "dora");
    if (row.channels() == Channels.WEBSOCKET) {
      assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> approve(as("ada"), request));
    }
    for (int given = 1; given <= row.answers(); given++) {
      Channel channel = as(approvers.get(given - 1));
      boolean live = row.channels() == Channels.WEBSOCKET;
      assertThat(approve(live ? AnswerChannels.byWebSocket(channel) : channel, request).getStatus())
          .as("after %d answers", given)
          .isEqualTo(
              given < row.answers()
                  ? PermissionStatus.PERMISSION_STATUS_PENDING
                  : PermissionStatus.PERMISSION_STATUS_APPROVED);
    }
  }

  private static PermissionRequest approve(Channel approver, String request) {
    return PermissionServiceGrpc.newBlockingStub(approver)
        .respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(request)
                .setApproved(true)
                .build());
  }

  private Channel as(String actor) {
    return core.as(core.core().processCredential("default", actor, Set.of("*")));
  }

  private ExplainActionResponse explain(TaskLease lease, AskedAction action) {
    return ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
        .explainAction(
            ExplainActionRequest.newBuilder()
                .setSessionId(lease.getTask().getSessionId())
                .setKind(action.getKind())
                .setContent(action.getContent())
                .setSideEffect(action.getSideEffect())
                .build());
  }

  private RequestPermissionResponse ask(TaskLease lease, AskedAction action) {
    return core.workers()
        .requestPermission(WorkerRequests.permission(lease, "1").setAction(action).build());
  }

  private PermissionRequest read(String request) {
    return PermissionServiceGrpc.newBlockingStub(core.owner())
        .getPermissionRequest(
            GetPermissionRequestRequest.newBuilder().setRequestId(request).build());
  }

  private String persona(AutonomyTier tier, String version) {
    return PersonaServiceGrpc.newBlockingStub(core.owner())
        .createPersona(
            CreatePersonaRequest.newBuilder()
                .setName("Releaser")
                .setVersion(version)
                .setEntryWorkflow("release.harn")
                .setDescription("Releases")
                .setAutonomyTier(tier)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
                .build())
        .getId();
  }

  private TaskLease begin(String persona) {
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
