package dev.bridle.core.work.permission;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRepeat;
import dev.bridle.permission.v1.PermissionRepeatReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a worker may perform an action. {@link PermissionPolicy} decides first; then an
 * approval or a standing grant may allow it; otherwise a permission request is opened for people to
 * answer. An approval is for one action of one task, and is consumed in the transaction that
 * returns ALLOWED.
 */
public final class PermissionGate {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final RequestPermissionResponse CANCELED =
      RequestPermissionResponse.newBuilder()
          .setVerdict(PermissionVerdict.PERMISSION_VERDICT_WAITING)
          .build();

  private final PermissionStore store;
  private final PendingPermission pending;
  private final StandingGrants grants;
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
    boolean same =
        !id.isEmpty()
            && change.record().getLease().getFence() == request.getFence()
            && steps
                .find(change, request)
                .filter(step -> step.getRequestId().equals(id))
                .isPresent();
    return same ? Optional.of(waitingWith(id)) : Optional.empty();
  }

  /** Returns an earlier decision that applies to this call, without consuming an approval. */
  public Optional<RequestPermissionResponse> earlierDecision(
      TaskChange change, RequestPermissionRequest request) {
    String fingerprint = action(change, request.getAction()).getFingerprint();
    return steps
        .find(change, request, fingerprint)
        .flatMap(
            step ->
                step.getRequestId().isEmpty()
                    ? Optional.of(step)
                        .filter(same -> same.getFence() == request.getFence())
                        .map(PermissionGate::withoutPeople)
                    : find(change, step.getRequestId()).flatMap(one -> decided(one, request)));
  }

  private static RequestPermissionResponse withoutPeople(AskedPermission step) {
    return step.getGrantId().isEmpty()
        ? ruled(step.getPersonaVerdict(), step.getPersonaReason())
        : allowedBy(step.getGrantId());
  }

  private static Optional<RequestPermissionResponse> decided(
      PermissionRecord record, RequestPermissionRequest request) {
    return switch (record.getRequest().getStatus()) {
      case PERMISSION_STATUS_DENIED ->
          Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_DENIED));
      case PERMISSION_STATUS_EXPIRED ->
          Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_EXPIRED));
      case PERMISSION_STATUS_APPROVED ->
          record.getUsedByFence() == request.getFence()
              ? Optional.of(verdict(record, PermissionVerdict.PERMISSION_VERDICT_ALLOWED))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * Decides for the first time under this lease: by the policy, an approval or a grant, or by
   * opening a request.
   */
  public RequestPermissionResponse decide(TaskChange change, RequestPermissionRequest request) {
    checkQuorum(request);
    if (change.record().getCancelRequestedAt() != 0) {
      change.markEndedBy();
      endings.cancel(change); // The handler stops here, so no worker runs the task.
      return CANCELED;
    }
    PermissionAction action = action(change, request.getAction());
    Optional<PermissionPolicy.Ruling> ruling = policy.decide(change, request, action);
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
    Optional<PermissionRecord> earlier = earlier(change, request, action);
    Optional<PermissionRecord> usable = earlier.filter(record -> usable(record, change.write()));
    if (usable.isPresent()) {
      return use(change, request, usable.get());
    }
    if (request.getSource() == PermissionSource.PERMISSION_SOURCE_ACP) {
      Optional<PermissionGrant> grant = grants.allowing(change, action);
      if (grant.isPresent()) {
        return use(change, request, action, grant.get());
      }
    }
    return ask(
        change, request, action, earlier.flatMap(record -> repeat(record, request.getFence())));
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
        .filter(record -> usable(record, write))
        .or(() -> store.newest(write.tr(), write.tenant(), change.id(), action.getFingerprint()));
  }

  private static boolean usable(PermissionRecord record, Write write) {
    return record.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED
        && record.getUsedByFence() == 0
        && write.nowMillis() < PendingPermission.expiresAt(record.getRequest());
  }

  private RequestPermissionResponse use(
      TaskChange change, RequestPermissionRequest request, PermissionRecord before) {
    PermissionRequest.Builder after = before.getRequest().toBuilder();
    var now = Timestamps.fromMillis(change.write().nowMillis());
    after.setUpdatedAt(now).getResponseBuilder().setUsedAt(now);
    PermissionRecord used =
        before.toBuilder().setRequest(after).setUsedByFence(request.getFence()).build();
    store.update(change.write(), before, used);
    change.counts().addToolCalls(1);
    steps.recordRequest(change, request, after.getAction().getFingerprint(), after.getId());
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_USED,
            Payload.of()
                .text("permission_request_id", after.getId())
                .text("step_key", request.getStepKey())
                .text("fingerprint", after.getAction().getFingerprint())));
    return verdict(used, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
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

  private static Optional<PermissionRepeat> repeat(PermissionRecord earlier, long fence) {
    PermissionRepeatReason reason =
        switch (earlier.getRequest().getStatus()) {
          case PERMISSION_STATUS_DENIED -> PermissionRepeatReason.PERMISSION_REPEAT_REASON_DENIED;
          case PERMISSION_STATUS_EXPIRED -> PermissionRepeatReason.PERMISSION_REPEAT_REASON_EXPIRED;
          case PERMISSION_STATUS_APPROVED ->
              earlier.getUsedByFence() == 0
                  ? PermissionRepeatReason.PERMISSION_REPEAT_REASON_LAPSED
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

  private RequestPermissionResponse ask(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      Optional<PermissionRepeat> repeats) {
    PermissionRequest made = question(change, request, action, repeats);
    steps.recordRequest(change, request, action.getFingerprint(), made.getId());
    pending.open(
        change,
        PermissionRecord.newBuilder()
            .setRequest(made)
            .setWorkspaceId(change.task().getWorkspaceId()));
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_APPROVAL_REQUIRED,
            Payload.of()
                .text("permission_request_id", made.getId())
                .text("step_key", request.getStepKey())
                .json("action", ResourceJson.of(action))
                .json("request", ResourceJson.of(made.getRequest()))));
    change.move(
        TaskStatus.TASK_STATUS_AUTH_REQUIRED,
        Payload.of()
            .text("permission_request_id", made.getId())
            .text("step_key", request.getStepKey())
            .text("prompt", request.getPrompt()));
    waiting.begin(change, request.getHold());
    return waitingWith(made.getId());
  }

  private PermissionRequest question(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      Optional<PermissionRepeat> repeats) {
    Write write = change.write();
    var now = Timestamps.fromMillis(write.nowMillis());
    long time =
        request.hasTimeout()
            ? Durations.toMillis(request.getTimeout())
            : DEFAULT_TIMEOUT.toMillis();
    PermissionQuestion.Builder asked =
        PermissionQuestion.newBuilder()
            .setPrompt(request.getPrompt())
            .addAllOptions(request.getOptionsList())
            .addAllApprovers(request.getApproversList())
            .setApproversRequired(Math.max(1, request.getApproversRequired()))
            .setExpiresAt(Timestamps.fromMillis(write.nowMillis() + Math.max(1, time)))
            .setStepKey(request.getStepKey());
    repeats.ifPresent(asked::setRepeats);
    if (request.getSource() == PermissionSource.PERMISSION_SOURCE_ACP
        && grants.roomIn(write, change.task().getSessionId())) {
      asked.addAllOfferedGrants(
          OfferedGrants.of(
              action,
              grants.roomInWorkspace(write, change.task()),
              grants.folderOf(change, action),
              write.nowMillis()));
    }
    PermissionRequest.Builder made =
        PermissionRequest.newBuilder()
            .setId(write.id("permission"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setSessionId(change.task().getSessionId())
            .setTaskId(change.id())
            .setWorkspaceId(change.task().getWorkspaceId())
            .setStatus(PermissionStatus.PERMISSION_STATUS_PENDING)
            .setSource(request.getSource())
            .setAction(action)
            .setRequest(asked);
    made.getRequestBuilder().setContentHash(ActionHashes.shown(made.build()));
    return made.build();
  }

  private static PermissionAction action(TaskChange change, AskedAction asked) {
    PermissionAction.Builder action =
        PermissionAction.newBuilder().setKind(asked.getKind()).setContent(asked.getContent());
    if (!asked.getTool().isEmpty()) {
      action.setTool(asked.getTool());
    }
    if (!asked.getTitle().isEmpty()) {
      action.setTitle(asked.getTitle());
    }
    if (!asked.getSideEffect().isEmpty()) {
      action.setSideEffect(asked.getSideEffect());
    }
    return action
        .addAllEditedFiles(asked.getEditedFilesList())
        .setFingerprint(ActionHashes.fingerprint(action.build(), change.record().getTask()))
        .build();
  }

  private static void checkQuorum(RequestPermissionRequest request) {
    int named = request.getApproversCount();
    if (named > 0 && request.getApproversRequired() > named) {
      throw ProtocolException.invalid(
          "approvers_required", "must not exceed the number of approvers, " + named + "");
    }
    long options =
        request.getOptionsList().stream().map(option -> option.getId()).distinct().count();
    if (options < request.getOptionsCount()) {
      throw ProtocolException.invalid("options", "must have distinct ids");
    }
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
