package dev.bridle.core.work.policy;

import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.SpecialCalls;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.policy.invocation.InvocationPattern;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.permission.v1.ApprovalRole;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.UpdateApprovalRuleRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.layer.KeyLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Approval rules as a resource. */
public final class ApprovalRules extends TenantSharedRules<ApprovalRule> {
  /** The definition of rule records. */
  public static final RecordDef<ApprovalRule> APPROVAL_RULE =
      RecordDef.of(120, "approval_rule", ApprovalRule.parser())
          .id(ApprovalRule::getId)
          .listed()
          .configuration()
          .refersTo("persona", ApprovalRule::getPersonaId)
          .refersTo("workspace", ApprovalRule::getWorkspaceId)
          .withStream()
          .exported(export -> export.inPhase("APPROVAL_RULES").takenAlong())
          .build();

  /** A rule has at most 133,000 characters, and each asked action reads all. */
  static final int MOST = 100;

  private final KeyLayout layout;
  private final TenantRecords<Persona> personas;
  private final WorkspaceStore workspaces;
  private final Answerers answerers;

  private ApprovalRules(CoreContext context) {
    this.layout = context.layout();
    this.personas = new TenantRecords<>(layout, Personas.PERSONA);
    this.workspaces = new WorkspaceStore(layout);
    this.answerers = new Answerers(context);
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<ApprovalRule, ApprovalRule> resource(CoreContext context) {
    ActionExplanation explanation = new ActionExplanation(context);
    return ResourceDef.of(
            APPROVAL_RULE,
            ApprovalRuleServiceGrpc.getServiceDescriptor(),
            ApprovalRule.getDefaultInstance(),
            new ApprovalRules(context))
        .with(
            new SpecialCalls()
                .with(ApprovalRuleServiceGrpc.getExplainActionMethod(), explanation::explain));
  }

  /** Returns all rules of a tenant, oldest first. */
  static List<ApprovalRule> in(Configuration configuration) {
    return configuration.listed(APPROVAL_RULE, RecordDef.ALL, MOST);
  }

  @Override
  public ApprovalRule create(Write write, Caller caller, Message request, ApprovalRule rule) {
    Configuration known = Configurations.unremembered(layout, write.tr(), write.tenant());
    PolicyNames.needNew(
        APPROVAL_RULE,
        in(known).stream().map(ApprovalRule::getName).toList(),
        rule.getName(),
        MOST);
    if (rule.hasPersonaId()) {
      var unused = personas.referenced(write.tr(), caller, rule.getPersonaId(), "persona_id");
    }
    if (rule.hasWorkspaceId()) {
      var unused = workspaces.referenced(write.tr(), caller, rule.getWorkspaceId());
    }
    needRoles(known, rule.getRolesList());
    needInvocations(rule.getInvocationsList());
    needAnotherApprover(write, known, rule.getNotSubmitter());
    return rule.toBuilder().setApprovers(Math.max(1, rule.getApprovers())).build();
  }

  @Override
  public void checkUpdate(Write write, Caller caller, ApprovalRule before, Message request) {
    UpdateApprovalRuleRequest update = (UpdateApprovalRuleRequest) request;
    Configuration known = Configurations.unremembered(layout, write.tr(), write.tenant());
    needRoles(known, update.getRolesList());
    needInvocations(update.getInvocationsList());
    needAnotherApprover(write, known, update.getNotSubmitter());
  }

  @Override
  public ApprovalRule update(Write write, Caller caller, ApprovalRule before, ApprovalRule after) {
    return after.toBuilder().setApprovers(Math.max(1, after.getApprovers())).build();
  }

  private void needAnotherApprover(Write write, Configuration known, boolean notSubmitter) {
    if (notSubmitter && !answerers.areSeveral(write.tr(), write.tenant(), known)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Only one actor can answer permission requests, so nobody could approve what it"
                  + " submits: make a key for another actor, or enrol a device, first.")
          .blaming("not_submitter");
    }
  }

  private static void needInvocations(List<String> invocations) {
    for (String invocation : invocations) {
      InvocationPattern.problem(invocation)
          .ifPresent(
              problem -> {
                throw ProtocolException.invalid("invocations", problem);
              });
    }
  }

  /** A rule that names an unknown role could never be satisfied. */
  private static void needRoles(Configuration known, List<ApprovalRoleCount> named) {
    if (named.isEmpty()) {
      return;
    }
    Set<String> there =
        ApprovalRoles.in(known).stream().map(ApprovalRole::getName).collect(Collectors.toSet());
    Set<String> seen = new HashSet<>();
    for (ApprovalRoleCount count : named) {
      if (!there.contains(count.getRole())) {
        throw ProtocolException.invalid(
            "roles", "name '" + count.getRole() + "', which is no approval role; create it first");
      }
      if (!seen.add(count.getRole())) {
        throw ProtocolException.invalid("roles", "name '" + count.getRole() + "' twice");
      }
    }
  }
}
