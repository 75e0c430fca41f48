package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRepeat;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;

/**
 * Decides whether a worker may perform an action. {@link PermissionPolicy} decides first; then an
 * approval or a standing grant may allow it; otherwise a permission request is opened for people to
 * answer. An approval is for one action of one task, and is consumed in the transaction that
 * returns ALLOWED.
 */
public final class PermissionGate {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final RequestPermissionResponse CANCELED =
      RequestPermissionResponse.newBuilder()
          .setVerdict(PermissionVerdict.PERMISSION_VERDICT_WAITING)
          .build();

  /** What was allowed before the agent changed the action. */
  private static final RequestPermissionResponse EXPIRED =
      RequestPermissionResponse.newBuilder()
          .setVerdict(PermissionVerdict.PERMISSION_VERDICT_EXPIRED)
          .build();

  private final PermissionStore store;
  private final PendingPermission pending;
  private final StandingGrants grants;
  private final PermissionQuestions questions;
  private final PermissionSteps steps;
  private final TaskQuotas quotas;
  private final TaskEndings endings;
  private final WaitingLease waiting;
  private final PermissionPolicy policy;

  PermissionGate(
      PendingPermission pending,
      StandingGrants grants,
      PermissionSteps steps,
      TaskQuotas quotas,
      TaskEndings endings,
      WaitingLease waiting,
      PermissionPolicy policy) {
    this.store = pending.store();
    this.pending = pending;
    this.grants = grants;
    this.questions = new PermissionQuestions(grants);
    this.steps = steps;
    this.quotas = quotas;
    this.endings = endings;
    this.waiting = waiting;
    this.policy = policy;
  }

  /** Returns the response to a worker whose task was canceled by this request. */
  public RequestPermissionResponse canceled() {
    return CANCELED;
  }

  /** Returns a pending response if the task already waits for this request under this lease. */
  public Optional<RequestPermissionResponse> pendingResponse(
      TaskChange change, RequestPermissionRequest request) {
    String id = change.record().getPermissionRequestId();
    boolean isLeased = !id.isEmpty() && change.record().getLease().getFence() == request.getFence();
    return isLeased
        ? steps
            .find(change, request)
            .filter(step -> step.getRequestId().equals(id))
            .map(step -> waitingWith(id))
        : Optional.empty();
  }

  /** Returns an earlier decision that applies to this call, without consuming an approval. */
  public Optional<RequestPermissionResponse> earlierDecision(
      TaskChange change, RequestPermissionRequest request) {
    PermissionAction action =
        PermissionQuestions.action(change.record().getTask(), request.getAction());
    return steps
        .find(change, request, action.getFingerprint())
        .flatMap(
            step ->
                step.getRequestId().isEmpty()
                    ? Optional.of(step)
                        .filter(same -> same.getFence() == request.getFence())
                        .map(same -> same.getVoided() ? EXPIRED : withoutPeople(same))
                    : find(change, step.getRequestId())
                        .flatMap(one -> decided(one, request, action)));
  }

  /** Returns the decision of a step that nobody was asked about. */
  static RequestPermissionResponse withoutPeople(AskedPermission step) {
    return step.getGrantId().isEmpty()
        ? ruled(step.getPersonaVerdict(), step.getPersonaReason())
        : allowedBy(step.getGrantId());
  }

  private static Optional<RequestPermissionResponse> decided(
      PermissionRecord record, RequestPermissionRequest request, PermissionAction action) {
    return switch (record.getRequest().getStatus()) {
      case PERMISSION_STATUS_DENIED ->
          Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_DENIED));
      case PERMISSION_STATUS_EXPIRED ->
          Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_EXPIRED));
      case PERMISSION_STATUS_APPROVED ->
          record.getRequest().getResponse().hasVoided()
              ? Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_EXPIRED))
              : record.getUsedByFence() == request.getFence()
                      && Verdicts.fits(record, request, action)
                  ? Optional.of(Verdicts.allowed(record.getRequest(), action))
                  : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * Decides for the first time under this lease: by the policy, an approval or a grant, or by
   * opening a request.
   */
  public RequestPermissionResponse decide(TaskChange change, RequestPermissionRequest request) {
    PermissionQuestions.check(request);
    Separation.needOthers(change, request);
    if (change.record().getCancelRequestedAt() != 0) {
      change.markEndedBy();
      endings.cancel(change); // The handler stops here, so no worker runs the task.
      return CANCELED;
    }
    PermissionAction action =
        PermissionQuestions.action(change.record().getTask(), request.getAction());
    Optional<String> replaced = steps.replaced(change, request);
    // What allows without people names no option, so that it can't choose among several.
    boolean needsChoice = OptionRules.needChoice(request.getOptionsList());
    Optional<PermissionPolicy.Ruling> ruling =
        policy
            .decide(change, request, action)
            .filter(found -> found.verdict() != ALLOWED || !needsChoice);
    if (ruling.isPresent() && ruling.get().verdict() != ALLOWED) {
      return follow(change, request, action, ruling.get());
    }
    Optional<Failure> breach = quotas.breach(change, TaskQuotas.Step.TOOL_CALL);
    if (breach.isPresent()) {
      change.markEndedBy();
      endings.fail(change, breach.get()); // The handler stops here, too.
      return CANCELED;
    }
    if (ruling.isPresent()) {
      change.counts().addToolCalls(1);
      return follow(change, request, action, ruling.get());
    }
    Optional<ApprovalRequirement> required =
        policy.requirement(change, action, request.getSignedOnly());
    Optional<PermissionRecord> earlier = earlier(change, request, action);
    Optional<PermissionRecord> usable =
        earlier.filter(
            record ->
                usable(record, request, action, change.write())
                    && allCount(change, record.getRequest())
                    && Requirements.meetsAsk(request, record.getRequest())
                    && Requirements.areMet(required, record.getRequest(), change)
                    && modificationMeetsRules(
                        change, record.getRequest(), request.getSignedOnly()));
    if (usable.isPresent()) {
      return use(change, request, action, usable.get());
    }
    if (request.getSource() == PermissionSource.PERMISSION_SOURCE_ACP && !needsChoice) {
      Optional<PermissionGrant> grant =
          grants.allowing(
              change, action, held -> Separation.permits(policy, change, request, required, held));
      if (grant.isPresent()) {
        return use(change, request, action, grant.get());
      }
    }
    PermissionRequest made =
        questions.question(
            change,
            request,
            action,
            required,
            new PermissionQuestions.Earlier(
                earlier.flatMap(record -> repeat(record, request, action, change.write())),
                replaced));
    return ask(change, request, made);
  }

  private boolean allCount(TaskChange change, PermissionRequest approved) {
    return Separation.isNotOwn(policy, change, approved)
        && approved.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .allMatch(answer -> policy.counts(change.write(), answer));
  }

  /** What was approved instead of the action that was asked for has rules of its own. */
  private boolean modificationMeetsRules(
      TaskChange change, PermissionRequest approved, boolean signedOnly) {
    return !PermissionStore.isModified(approved)
        || Requirements.areMet(
            policy.requirement(
                change,
                ModifiedAction.of(approved, approved.getResponse().getArguments()),
                signedOnly),
            approved,
            change);
  }

  private RequestPermissionResponse follow(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      PermissionPolicy.Ruling ruling) {
    steps.recordRuling(change, request, action.getFingerprint(), ruling);
    change.emit(ruling.event());
    return ruled(ruling.verdict(), ruling.reason());
  }

  /** Returns the request of this step for this action, or else the task's newest one for it. */
  private Optional<PermissionRecord> earlier(
      TaskChange change, RequestPermissionRequest request, PermissionAction action) {
    Optional<PermissionRecord> ofStep =
        steps
            .find(change, request, action.getFingerprint())
            .flatMap(step -> find(change, step.getRequestId()));
    Write write = change.write();
    return ofStep
        .filter(record -> usable(record, request, action, write))
        .or(() -> store.newest(write.tr(), write.tenant(), change.id(), action.getFingerprint()));
  }

  private static boolean usable(
      PermissionRecord record,
      RequestPermissionRequest request,
      PermissionAction action,
      Write write) {
    return Verdicts.fits(record, request, action)
        && record.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED
        && !record.getRequest().getResponse().hasVoided()
        && record.getUsedByFence() == 0
        && write.nowMillis() < Requirements.usableUntil(record.getRequest());
  }

  private RequestPermissionResponse use(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      PermissionRecord before) {
    PermissionRequest.Builder after = before.getRequest().toBuilder();
    var now = Timestamps.fromMillis(change.write().nowMillis());
    after.setUpdatedAt(now).getResponseBuilder().setUsedAt(now);
    PermissionRecord used =
        before.toBuilder().setRequest(after).setUsedByFence(request.getFence()).build();
    store.update(change.write(), before, used);
    change.counts().addToolCalls(1);
    steps.recordRequest(change, request, action.getFingerprint(), after.getId());
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_USED,
            Payload.of()
                .text("permission_request_id", after.getId())
                .text("step_key", request.getStepKey())
                .text("fingerprint", PermissionStore.approvedFingerprint(after))
                .json("arguments", after.getResponse().getArguments())));
    return Verdicts.allowed(used.getRequest(), action);
  }

  private RequestPermissionResponse use(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      PermissionGrant grant) {
    change.counts().addToolCalls(1);
    steps.recordGrant(change, request, action.getFingerprint(), grant.getId());
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_USED,
            Payload.of()
                .text("grant_id", grant.getId())
                .text("scope", StandingGrants.spell(grant.getScope()))
                .text("step_key", request.getStepKey())
                .text("fingerprint", action.getFingerprint())
                .json("action", ResourceJson.of(action))));
    ApprovalFacts.used(change, action, grant);
    return allowedBy(grant.getId());
  }

  private static Optional<PermissionRepeat> repeat(
      PermissionRecord earlier,
      RequestPermissionRequest request,
      PermissionAction action,
      Write write) {
    long fence = request.getFence();
    boolean isVoid = earlier.getRequest().getResponse().hasVoided();
    if (isVoid || (earlier.getUsedByFence() == 0 && !Verdicts.fits(earlier, request, action))) {
      return Optional.empty(); // Another action was approved, which the worker may still ask for.
    }
    PermissionRepeatReason reason =
        switch (earlier.getRequest().getStatus()) {
          case PERMISSION_STATUS_DENIED -> PermissionRepeatReason.PERMISSION_REPEAT_REASON_DENIED;
          case PERMISSION_STATUS_EXPIRED -> PermissionRepeatReason.PERMISSION_REPEAT_REASON_EXPIRED;
          case PERMISSION_STATUS_APPROVED ->
              earlier.getUsedByFence() == 0
                  ? unused(earlier, write)
                  : earlier.getUsedByFence() == fence
                      ? PermissionRepeatReason.PERMISSION_REPEAT_REASON_USED
                      : PermissionRepeatReason.PERMISSION_REPEAT_REASON_OUTCOME_UNKNOWN;
          default -> PermissionRepeatReason.PERMISSION_REPEAT_REASON_UNSPECIFIED;
        };
    return reason == PermissionRepeatReason.PERMISSION_REPEAT_REASON_UNSPECIFIED
        ? Optional.empty()
        : Optional.of(
            PermissionRepeat.newBuilder()
                .setReason(reason)
                .setRequestId(earlier.getRequest().getId())
                .build());
  }

  private static PermissionRepeatReason unused(PermissionRecord earlier, Write write) {
    return write.nowMillis() < Requirements.usableUntil(earlier.getRequest())
        ? PermissionRepeatReason.PERMISSION_REPEAT_REASON_POLICY
        : PermissionRepeatReason.PERMISSION_REPEAT_REASON_LAPSED;
  }

  private RequestPermissionResponse ask(
      TaskChange change, RequestPermissionRequest request, PermissionRequest made) {
    PermissionAction action = made.getAction();
    steps.recordRequest(change, request, action.getFingerprint(), made.getId());
    pending.open(
        change,
        PermissionRecord.newBuilder()
            .setRequest(made)
            .setAskedBy(Separation.leaseActor(change))
            .setWorkspaceId(change.task().getWorkspaceId()));
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_APPROVAL_REQUIRED,
            Payload.of()
                .text("permission_request_id", made.getId())
                .text("step_key", request.getStepKey())
                .json("action", ResourceJson.of(action))
                .json("metadata", made.getMetadata())
                .json("request", ResourceJson.of(made.getRequest()))));
    change.move(
        TaskStatus.TASK_STATUS_AUTH_REQUIRED,
        Payload.of()
            .text("permission_request_id", made.getId())
            .text("step_key", request.getStepKey())
            .text("prompt", request.getPrompt()));
    pending.opened(change, made);
    waiting.begin(change, request.getHold());
    return waitingWith(made.getId());
  }

  private Optional<PermissionRecord> find(TaskChange change, String id) {
    return id.isEmpty()
        ? Optional.empty()
        : store.find(change.write().tr(), change.write().tenant(), id);
  }

  private static RequestPermissionResponse waitingWith(String id) {
    return CANCELED.toBuilder().setRequestId(id).build();
  }

  private static RequestPermissionResponse ruled(PermissionVerdict verdict, String reason) {
    return RequestPermissionResponse.newBuilder().setVerdict(verdict).setReason(reason).build();
  }

  private static RequestPermissionResponse allowedBy(String grant) {
    return RequestPermissionResponse.newBuilder()
        .setVerdict(PermissionVerdict.PERMISSION_VERDICT_ALLOWED)
        .setGrantId(grant)
        .build();
  }

  private static RequestPermissionResponse verdict(
      PermissionRecord record, PermissionVerdict verdict) {
    return Verdicts.of(record.getRequest(), verdict);
  }
}
