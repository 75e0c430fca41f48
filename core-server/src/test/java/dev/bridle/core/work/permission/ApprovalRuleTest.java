package dev.bridle.core.work.permission;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.permission.v1.ActionDecision;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRole;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRoleServiceGrpc;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRoleRequest;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.ExplainActionRequest;
import dev.bridle.permission.v1.ExplainActionResponse;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.ListApprovalRulesRequest;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RuleMatch;
import dev.bridle.permission.v1.UpdateApprovalRoleRequest;
import dev.bridle.permission.v1.UpdateApprovalRuleRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Rules about the approval of actions bind agents, approvers and grants. */
class ApprovalRuleTest extends AskedTasks {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;
  private static final PermissionVerdict DENIED = PermissionVerdict.PERMISSION_VERDICT_DENIED;

  @Test
  void moreApproversAreNeededThanTheAgentAsksForAndNeverFewer() {
    rule("two eyes more", rule -> rule.addCommands("deploy").setApprovers(2));
    TaskLease lease = begin();

    PermissionRequest two = read(ask(lease, "1", "deploy").getRequestId());
    assertThat(two.getRequest().getApproversRequired()).isEqualTo(2);
    assertThat(two.getRequest().getPolicy().getRulesList()).containsExactly("two eyes more");
    assertThat(approve("ada", two.getId()).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    assertThat(approve("bob", two.getId()).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);

    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again, "1", "deploy").getVerdict()).isEqualTo(ALLOWED);
    PermissionRequest three =
        read(ask(wanted(again, "2", "deploy now").setApproversRequired(3)).getRequestId());
    assertThat(three.getRequest().getApproversRequired()).isEqualTo(3);
    assertThat(three.getRequest().getPolicy().getApprovers()).isEqualTo(3);
  }

  @Test
  void anActionThatNoRuleMatchesIsAskedAsBefore() {
    rule("deployments", rule -> rule.addCommands("deploy").setApprovers(2));

    PermissionRequest one = read(ask(begin(), "1", "ls").getRequestId());

    assertThat(one.getRequest().hasPolicy()).isFalse();
    assertThat(one.getRequest().getApproversRequired()).isEqualTo(1);
  }

  @Test
  void membersOfARoleMustBeAmongThoseWhoApprove() {
    ApprovalRole role = role("sre", "ada");
    rule("sre", rule -> rule.addRoles(count("sre", 1)));
    TaskLease lease = begin();
    String request = ask(lease, "1", "deploy").getRequestId();

    assertThat(approve("bob", request).getStatus())
        .as("approved by one who is no member")
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    PermissionRequest approved = approve("ada", request);
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getAnswers(0).getRolesList()).isEmpty();
    assertThat(approved.getResponse().getAnswers(1).getRolesList()).containsExactly("sre");

    var unused =
        ApprovalRoleServiceGrpc.newBlockingStub(core.owner())
            .updateApprovalRole(
                UpdateApprovalRoleRequest.newBuilder()
                    .setApprovalRoleId(role.getId())
                    .addActors("eve")
                    .setUpdateMask(FieldMask.newBuilder().addPaths("actors"))
                    .build());
    assertThat(ask(next(lease.getTask().getId()), "1", "deploy").getVerdict())
        .as("an answer keeps the role that it was given in")
        .isEqualTo(ALLOWED);
  }

  @Test
  void whoAreNamedButLackTheRoleCanApproveNothing() {
    var unused = role("sre", "ada", "carl");
    rule("sre", rule -> rule.addRoles(count("sre", 2)));
    TaskLease lease = begin();

    assertThat(
            ask(wanted(lease, "1", "deploy").addApprovers("ada").addApprovers("bob")).getVerdict())
        .isEqualTo(DENIED);
    assertThat(core.eventsOf(lease.getTask().getId()))
        .filteredOn(event -> event.getEvent().equals("tool.denied"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getPayload().toStringUtf8()).contains("policy_unsatisfiable"));
    RequestPermissionResponse asked =
        ask(wanted(lease, "2", "deploy").addApprovers("ada").addApprovers("carl"));
    assertThat(asked.getVerdict()).isEqualTo(WAITING);
    assertThat(deny("ada", asked.getRequestId()).getStatus())
        .as("one of two can't be enough")
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_DENIED);
  }

  @Test
  void anAnswerComesByAChannelThatTheRulesTake() {
    rule(
        "live",
        rule -> rule.addChannels(ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET).addKinds("command"));
    String request = ask(begin(), "1", "deploy").getRequestId();

    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> approve("ada", request));
    PermissionRequest approved =
        PermissionServiceGrpc.newBlockingStub(AnswerChannels.byWebSocket(as("ada")))
            .respondPermissionRequest(said(request).setApproved(true).build());

    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(approved.getResponse().getAnswers(0).getChannel())
        .isEqualTo(ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET);
  }

  @Test
  void theReceiptSaysByWhichRulesAndChannelsAndThatOnlyTheServerAttestsThem() {
    rule("two", rule -> rule.setApprovers(2));
    TaskLease lease = begin();
    String request = ask(lease, "1", "deploy").getRequestId();
    approve("ada", request);
    PermissionRequest approved = approve("bob", request);

    assertThat(ApprovalFacts.part(approved, 0).path("quorum_proof").toString())
        .isEqualTo(
            "{\"required\":2,\"approved\":2,\"denied\":0,\"actors\":[\"ada\",\"bob\"],"
                + "\"channels\":[\"rest\"],\"attested_by\":\"harness\",\"rule_hash\":\""
                + ActionHashes.rules(approved.getRequest().getPolicy())
                + "\"}");
  }

  @Test
  void rulesThatTogetherLeaveNoChannelDeny() {
    rule("live", rule -> rule.addChannels(ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET));
    rule("rest", rule -> rule.addChannels(ApprovalChannel.APPROVAL_CHANNEL_REST));

    assertThat(ask(begin(), "1", "deploy").getVerdict()).isEqualTo(DENIED);
  }

  @Test
  void theShortestTimesCount() {
    rule("answer", rule -> rule.setAnswerWithinSeconds(600).setUsableForSeconds(300));
    rule("longer", rule -> rule.setAnswerWithinSeconds(3600).setUsableForSeconds(900));
    TaskLease lease = begin();
    PermissionRequest asked = read(ask(lease, "1", "deploy").getRequestId());

    assertThat(
            Timestamps.toMillis(asked.getRequest().getExpiresAt())
                - Timestamps.toMillis(asked.getCreatedAt()))
        .isEqualTo(Duration.ofMinutes(10).toMillis());
    var unused = approve("ada", asked.getId());
    PermissionRequest sooner =
        read(
            ask(within(wanted(next(lease.getTask().getId()), "2", "x"), Duration.ofMinutes(1)))
                .getRequestId());
    assertThat(
            Timestamps.toMillis(sooner.getRequest().getExpiresAt())
                - Timestamps.toMillis(sooner.getCreatedAt()))
        .as("the agent's own time, which is shorter")
        .isEqualTo(Duration.ofMinutes(1).toMillis());
  }

  @Test
  void anApprovalIsUsedWithinItsTime() {
    rule("soon", rule -> rule.setUsableForSeconds(1));
    TaskLease lease = begin();
    PermissionRequest approved = approve("ada", ask(lease, "1", "deploy").getRequestId());
    long until = Timestamps.toMillis(approved.getResponse().getDecidedAt()) + 1000;
    while (System.currentTimeMillis() < until) {
      Thread.onSpinWait();
    }

    RequestPermissionResponse again = ask(next(lease.getTask().getId()), "1", "deploy");

    assertThat(again.getVerdict()).isEqualTo(WAITING);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_LAPSED);
  }

  @Test
  void anUnusedApprovalDoesNotOutliveStricterRules() {
    TaskLease lease = begin();
    var unused = approve("ada", ask(lease, "1", "deploy").getRequestId());
    rule("two", rule -> rule.setApprovers(2));

    RequestPermissionResponse again = ask(next(lease.getTask().getId()), "1", "deploy");

    assertThat(again.getVerdict()).isEqualTo(WAITING);
    assertThat(read(again.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_POLICY);
  }

  @Test
  void otherArgumentsAreApprovedByTheRulesOfTheActionThatTheyMake() {
    rule("two", rule -> rule.addCommands("deploy").setApprovers(2));
    TaskLease lease = begin();
    PermissionRequest approved =
        respond(
            "ada",
            said(ask(modifiable(lease)).getRequestId())
                .setApproved(true)
                .setArguments(ByteString.copyFromUtf8("{\"line\":\"deploy\"}")));
    assertThat(approved.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);

    RequestPermissionResponse used = ask(modifiable(next(lease.getTask().getId())));

    assertThat(used.getVerdict()).as("one approval of what needs two").isEqualTo(WAITING);
    assertThat(read(used.getRequestId()).getRequest().getRepeats().getReason())
        .isEqualTo(PermissionRepeatReason.PERMISSION_REPEAT_REASON_POLICY);
  }

  private static RequestPermissionRequest.Builder modifiable(TaskLease lease) {
    RequestPermissionRequest.Builder wanted = wanted(lease, "1", "ls").setAcceptsModified(true);
    wanted
        .getActionBuilder()
        .setContent(ByteString.copyFromUtf8("{\"arguments\":{\"line\":\"ls\"}}"));
    return wanted;
  }

  @Test
  void grantsAreOfferedAndUsedAsFarAsAllRulesPermit() {
    TaskLease lease = begin();
    String wide = ask(lease, "0", "ls").getRequestId();
    var unused = respond("ada", said(wide).setApproved(true).setGrant("this_session"));
    rule("exact", rule -> rule.addCommands("deploy").addMayGrant(GrantScope.GRANT_SCOPE_ACTION));
    TaskLease again = next(lease.getTask().getId());

    assertThat(ask(again, "1", "whoami").getVerdict()).as("no rule matches it").isEqualTo(ALLOWED);
    RequestPermissionResponse asked = ask(again, "2", "deploy");
    assertThat(asked.getVerdict()).as("the session's grant is too wide").isEqualTo(WAITING);
    assertThat(read(asked.getRequestId()).getRequest().getOfferedGrantsList())
        .extracting(OfferedGrant::getScope)
        .containsExactly(GrantScope.GRANT_SCOPE_ACTION);
    PermissionRequest granted =
        respond("ada", said(asked.getRequestId()).setApproved(true).setGrant("this_action"));
    assertThat(granted.getResponse().hasGrantId()).isTrue();
    TaskLease third = next(lease.getTask().getId());
    assertThat(ask(third, "2", "deploy").getVerdict()).isEqualTo(ALLOWED);
    assertThat(ask(third, "3", "deploy").getVerdict()).isEqualTo(ALLOWED);
  }

  @Test
  void aRuleThatIsDisabledOrChangedCountsFromThenOn() {
    ApprovalRule rule = rule("two", made -> made.setApprovers(2));
    ApprovalRule changed =
        rules()
            .updateApprovalRule(
                UpdateApprovalRuleRequest.newBuilder()
                    .setApprovalRuleId(rule.getId())
                    .setDisabled(true)
                    .setUpdateMask(FieldMask.newBuilder().addPaths("disabled"))
                    .build());

    assertThat(changed)
        .isEqualTo(rule.toBuilder().setDisabled(true).setUpdatedAt(changed.getUpdatedAt()).build());
    assertThat(read(ask(begin(), "1", "deploy").getRequestId()).getRequest().hasPolicy()).isFalse();
  }

  @Test
  void aRuleKeepsItsInvocationsAndMatchesThem() {
    ApprovalRule rule = rule("pushes", made -> made.addInvocations("git push").setApprovers(2));
    TaskLease lease = begin();

    assertThat(rule.getInvocationsList()).containsExactly("git push");
    assertThat(read(ask(lease, "1", "git -C . push").getRequestId()).getRequest().getPolicy())
        .satisfies(policy -> assertThat(policy.getRulesList()).containsExactly("pushes"));
    ExplainActionResponse explained = explain("cd x && git --no-pager push origin");
    assertThat(explained.getMatchesList())
        .containsExactly(
            RuleMatch.newBuilder()
                .setRule("pushes")
                .setMember("invocations")
                .setPattern("git push")
                .setText("git --no-pager push origin")
                .build());

    ApprovalRule changed =
        rules()
            .updateApprovalRule(
                UpdateApprovalRuleRequest.newBuilder()
                    .setApprovalRuleId(rule.getId())
                    .addInvocations("git pull")
                    .setUpdateMask(FieldMask.newBuilder().addPaths("invocations"))
                    .build());
    assertThat(changed.getInvocationsList()).containsExactly("git pull");
    assertThat(
            rules().listApprovalRules(ListApprovalRulesRequest.getDefaultInstance()).getDataList())
        .containsExactly(changed);
    assertThat(explain("git push").getMatchesList()).isEmpty();
  }

  @Test
  void anInvocationThatCouldMatchNothingIsRefused() {
    for (String invocation : List.of(" ", "git --force", "/usr/bin/git push", "git *")) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "invocations",
          () -> rule("r", made -> made.addInvocations(invocation)));
    }
    ApprovalRule rule = rule("r", made -> made.addInvocations("git push"));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "invocations",
        () ->
            rules()
                .updateApprovalRule(
                    UpdateApprovalRuleRequest.newBuilder()
                        .setApprovalRuleId(rule.getId())
                        .addInvocations("git push -f")
                        .setUpdateMask(FieldMask.newBuilder().addPaths("invocations"))
                        .build()));
  }

  @Test
  void anExplanationTakesWhatTheAgentSays() {
    rule("removals", made -> made.addCommands("rm -rf*"));
    ExplainActionRequest.Builder asked =
        ExplainActionRequest.newBuilder().setSessionId(session).setKind("command");

    assertThat(rules().explainAction(asked.build()).hasPolicy()).isFalse();
    asked.setSaid(ByteString.copyFromUtf8("{\"title\":\"rm -rf x\"}"));
    assertThat(rules().explainAction(asked.build()).getMatches(0).getText()).isEqualTo("rm -rf x");
  }

  @Test
  void aRuleNamesWhatIsThereAndHasANameOfItsOwn() {
    rule("two", rule -> rule.setApprovers(2));

    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "name", () -> rule("two", rule -> rule));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "roles",
        () -> rule("r", rule -> rule.addRoles(count("nobody", 1))));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "persona_id",
        () -> rule("p", rule -> rule.setPersonaId("persona_none")));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "workspace_id",
        () -> rule("w", rule -> rule.setWorkspaceId("nowhere")));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            ApprovalRuleServiceGrpc.newBlockingStub(
                    core.as(
                        core.core().processCredential("default", "narrow", Set.of("tasks:read"))))
                .createApprovalRule(
                    CreateApprovalRuleRequest.newBuilder().setName("mine").build()));
  }

  @Test
  void anExplanationSaysWhatTheGateDoes() {
    var unused = role("sre", "ada");
    rule("deploy", rule -> rule.addCommands("deploy").setApprovers(2).addRoles(count("sre", 1)));
    ExplainActionResponse ruled = explain("deploy");
    ExplainActionResponse free = explain("ls");

    PermissionRequest asked = read(ask(begin(), "1", "deploy").getRequestId());
    assertThat(ruled.getDecision()).isEqualTo(ActionDecision.ACTION_DECISION_ASKED);
    assertThat(ruled.getPolicy()).isEqualTo(asked.getRequest().getPolicy());
    assertThat(free.getDecision()).isEqualTo(ActionDecision.ACTION_DECISION_ASKED);
    assertThat(free.hasPolicy()).isFalse();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "session_id",
        () -> rules().explainAction(ExplainActionRequest.newBuilder().setKind("command").build()));
  }

  private ExplainActionResponse explain(String command) {
    return rules()
        .explainAction(
            ExplainActionRequest.newBuilder()
                .setSessionId(session)
                .setKind("command")
                .setTool("shell")
                .setContent(ByteString.copyFromUtf8("{\"command\":\"" + command + "\"}"))
                .build());
  }

  private ApprovalRuleServiceGrpc.ApprovalRuleServiceBlockingStub rules() {
    return ApprovalRuleServiceGrpc.newBlockingStub(core.owner());
  }

  private ApprovalRule rule(String name, UnaryOperator<CreateApprovalRuleRequest.Builder> members) {
    return rules()
        .createApprovalRule(
            members.apply(CreateApprovalRuleRequest.newBuilder().setName(name)).build());
  }

  private ApprovalRole role(String name, String... actors) {
    return ApprovalRoleServiceGrpc.newBlockingStub(core.owner())
        .createApprovalRole(
            CreateApprovalRoleRequest.newBuilder()
                .setName(name)
                .addAllActors(List.of(actors))
                .build());
  }

  private static ApprovalRoleCount count(String role, int count) {
    return ApprovalRoleCount.newBuilder().setRole(role).setCount(count).build();
  }
}
