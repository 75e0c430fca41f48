package dev.bridle.core.work.policy;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.permission.v1.ActionDecision;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.ExplainActionRequest;
import dev.bridle.permission.v1.ExplainActionResponse;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.persona.v1.Persona;
import dev.bridle.session.v1.Session;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.List;
import java.util.Optional;

/** Tells what would be decided about an action, by the rules that decide for workers. */
final class ActionExplanation {
  private static final ByteString NO_CONTENT = ByteString.copyFromUtf8("{}");

  private final CoreContext context;
  private final SessionStore sessions;
  private final WorkspaceStore workspaces;
  private final TenantRecords<Persona> personas;
  private final SkillApproval skills;

  ActionExplanation(CoreContext context) {
    this.context = context;
    this.sessions = new SessionStore(context.layout(), context.log());
    this.workspaces = new WorkspaceStore(context.layout());
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
    this.skills = new SkillApproval(context);
  }

  /** Answers the rpc. */
  ExplainActionResponse explain(Caller caller, ExplainActionRequest request) {
    return context.store().read(tr -> explain(tr, caller, request));
  }

  private ExplainActionResponse explain(
      ReadTransaction tr, Caller caller, ExplainActionRequest request) {
    Optional<Session> session =
        request.hasSessionId()
            ? Optional.of(sessions.need(tr, caller, request.getSessionId()))
            : Optional.empty();
    String workspace =
        request.hasWorkspaceId()
            ? workspaces.need(tr, caller, request.getWorkspaceId()).getId()
            : session.map(Session::getWorkspaceId).orElse("");
    String personaId =
        request.hasPersonaId()
            ? request.getPersonaId()
            : session.map(Session::getPersonaId).orElse("");
    Optional<Persona> persona =
        personaId.isEmpty()
            ? Optional.empty()
            : Optional.of(personas.referenced(tr, caller, personaId, "persona_id"));
    if (workspace.isEmpty() && persona.isEmpty()) {
      throw ProtocolException.invalid(
          "session_id", "is missing; name a session, a workspace or a persona");
    }
    PermissionAction action = action(request);
    Configuration configuration = context.configurations().of(tr, caller.tenant());
    MatchingRules rules =
        MatchingRules.of(ApprovalRules.in(configuration), workspace, personaId, action);
    Optional<Skill> skill =
        session.flatMap(one -> skills.requiring(tr, caller.tenant(), one.getId(), action));
    ExplainActionResponse.Builder answer =
        decide(
            persona,
            request,
            rules.isEmpty()
                ? Optional.empty()
                : Optional.of(RuledApproval.unsatisfiable(rules, List.of(), configuration)),
            skill,
            action)
            .toBuilder();
    answer.addAllMatches(rules.matches());
    skill.ifPresent(one -> answer.setSkillId(one.getId()));
    rules
        .requirement()
        .map(required -> joined(required, request.getApproversRequired()))
        .ifPresent(answer::setPolicy);
    return answer.build();
  }

  private static ApprovalRequirement joined(ApprovalRequirement required, int asked) {
    return required.toBuilder().setApprovers(Math.max(required.getApprovers(), asked)).build();
  }

  /**
   * Decides.
   *
   * @param ruled empty: no rule matches; otherwise why the rules leave nobody to approve, if so
   */
  private static ExplainActionResponse decide(
      Optional<Persona> persona,
      ExplainActionRequest request,
      Optional<Optional<String>> ruled,
      Optional<Skill> skill,
      PermissionAction action) {
    RequestPermissionRequest asked =
        RequestPermissionRequest.newBuilder()
            .setAction(
                AskedAction.newBuilder()
                    .setKind(action.getKind())
                    .setTool(action.getTool())
                    .setSideEffect(action.getSideEffect()))
            .setApproversRequired(request.getApproversRequired())
            .build();
    Autonomy autonomy = persona.map(one -> Autonomy.of(one, asked)).orElse(Autonomy.ASK);
    return switch (autonomy) {
      case DENY_TOOL, DENY_CAPABILITY ->
          answer(ActionDecision.ACTION_DECISION_DENIED, autonomy.reason());
      case SHADOW -> answer(ActionDecision.ACTION_DECISION_SHADOWED, autonomy.reason());
      case PROPOSE -> answer(ActionDecision.ACTION_DECISION_PROPOSED, autonomy.reason());
      case ALLOW, ASK -> {
        if (ruled.isPresent()) {
          yield ruled
              .get()
              .map(reason -> answer(ActionDecision.ACTION_DECISION_DENIED, reason))
              .orElseGet(
                  () -> answer(ActionDecision.ACTION_DECISION_ASKED, "Approval rules match it."));
        }
        if (skill.isPresent()) {
          yield answer(ActionDecision.ACTION_DECISION_ASKED, "Its skill requires approval.");
        }
        yield autonomy == Autonomy.ALLOW
            ? answer(ActionDecision.ACTION_DECISION_ALLOWED, autonomy.reason())
            : answer(
                ActionDecision.ACTION_DECISION_ASKED,
                persona.isPresent()
                    ? autonomy.reason()
                    : "A task without a persona acts with approval.");
      }
    };
  }

  private static ExplainActionResponse answer(ActionDecision decision, String reason) {
    return ExplainActionResponse.newBuilder().setDecision(decision).setReason(reason).build();
  }

  private static PermissionAction action(ExplainActionRequest request) {
    PermissionAction.Builder action =
        PermissionAction.newBuilder()
            .setKind(request.getKind())
            .setContent(request.getContent().isEmpty() ? NO_CONTENT : request.getContent())
            .addAllEditedFiles(request.getEditedFilesList());
    if (!request.getSaid().isEmpty()) {
      action.setSaid(request.getSaid());
    }
    if (!request.getTool().isEmpty()) {
      action.setTool(request.getTool());
    }
    if (!request.getSideEffect().isEmpty()) {
      action.setSideEffect(request.getSideEffect());
    }
    return action.build();
  }
}
