package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.VoidedApproval;
import dev.bridle.permission.v1.VoidedApprovalReason;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ends what was allowed of an action that is not the one that people were shown: the agent has
 * changed it before it got the answer, or has done another one.
 */
public final class VoidedApprovals {
  private final PermissionStore store;
  private final GrantStore grants;
  private final GrantRevocation revocation;
  private final PermissionSteps steps;
  private final PermissionPolicy policy;

  VoidedApprovals(
      PermissionStore store,
      GrantStore grants,
      GrantRevocation revocation,
      PermissionSteps steps,
      PermissionPolicy policy) {
    this.store = store;
    this.grants = grants;
    this.revocation = revocation;
    this.steps = steps;
    this.policy = policy;
  }

  /**
   * Voids what was allowed under a question's key, since the agent has changed the action. A denial
   * stands.
   *
   * @return whether something was allowed, and is void from now on
   */
  public boolean change(TaskChange change, String stepKey) {
    Optional<AskedPermission> found = steps.find(change, stepKey).filter(VoidedApprovals::allows);
    if (found.isEmpty() || found.get().getVoided()) {
      return found.isPresent(); // Void by an earlier attempt of the same call.
    }
    AskedPermission step = found.get();
    Optional<PermissionRecord> approved = approved(change, step);
    if (!step.getRequestId().isEmpty() && approved.isEmpty()) {
      return false; // Denied, or expired.
    }
    boolean wasUsed = approved.map(VoidedApprovals::wasUsed).orElse(true);
    approved.ifPresent(
        record -> mark(change, record, VoidedApprovalReason.VOIDED_APPROVAL_REASON_CHANGED));
    steps.recordVoided(change, stepKey, step);
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_CHANGED,
            facts(step, stepKey).text("reason", "changed").flag("was_used", wasUsed)));
    return true;
  }

  /**
   * Records that the agent has acted otherwise than was allowed under a question's key, and revokes
   * the standing grants that have allowed it, or came of the same answer. A tool's name that was
   * first said after the answer counts only where a rule names that tool. {@code
   * resource_not_found} if nothing was allowed under that key.
   */
  public ReportDivergenceResponse diverge(TaskChange change, ReportDivergenceRequest request) {
    AskedPermission step =
        steps
            .find(change, request.getQuestionStepKey())
            .filter(VoidedApprovals::allows)
            .orElseThrow(
                () -> ProtocolException.notFound("permission", request.getQuestionStepKey()));
    Optional<PermissionRecord> approved = approved(change, step);
    if (!step.getRequestId().isEmpty() && approved.isEmpty()) {
      throw ProtocolException.notFound("permission", request.getQuestionStepKey());
    }
    ReportDivergenceResponse.Builder response =
        ReportDivergenceResponse.newBuilder().setPermissionRequestId(step.getRequestId());
    String tool = request.getToolName();
    if (!tool.isEmpty() && !policy.namesTool(change, tool)) {
      return response.build();
    }
    response.setActedDifferently(true);
    if (steps.isReported(change, request.getStepKey())) {
      return response.build();
    }
    steps.recordReport(change, request.getStepKey());
    change.emit(
        EventDraft.of(
            EventKinds.ACTED_DIFFERENTLY,
            facts(step, request.getQuestionStepKey())
                .text("fingerprint", step.getFingerprint())
                .text("title", request.getTitle())
                .json("difference", request.getDifference())));
    Set<String> used = new LinkedHashSet<>();
    used.add(step.getGrantId());
    approved.ifPresent(record -> used.add(record.getRequest().getResponse().getGrantId()));
    approved
        .filter(record -> !record.getRequest().getResponse().hasVoided())
        .ifPresent(
            record ->
                mark(
                    change, record, VoidedApprovalReason.VOIDED_APPROVAL_REASON_ACTED_DIFFERENTLY));
    used.stream()
        .filter(id -> !id.isEmpty())
        .flatMap(id -> revoked(change, id).stream())
        .forEach(response::addRevokedGrantIds);
    change.markActedDifferently(
        Stream.of(step.getRequestId(), step.getGrantId(), request.getQuestionStepKey())
            .filter(id -> !id.isEmpty())
            .findFirst()
            .orElseThrow());
    return response.build();
  }

  private Optional<String> revoked(TaskChange change, String grantId) {
    Write write = change.write();
    return grants
        .find(write.tr(), write.tenant(), grantId)
        .map(
            record ->
                revocation
                    .revoke(write, record, "The agent has acted otherwise than was allowed.")
                    .getId());
  }

  private static boolean allows(AskedPermission step) {
    return !step.getRequestId().isEmpty()
        || !step.getGrantId().isEmpty()
        || step.getPersonaVerdict() == PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  }

  private Optional<PermissionRecord> approved(TaskChange change, AskedPermission step) {
    Write write = change.write();
    return step.getRequestId().isEmpty()
        ? Optional.empty()
        : store
            .find(write.tr(), write.tenant(), step.getRequestId())
            .filter(
                record ->
                    record.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  private static boolean wasUsed(PermissionRecord record) {
    return record.getRequest().getResponse().hasUsedAt();
  }

  private void mark(TaskChange change, PermissionRecord before, VoidedApprovalReason reason) {
    var now = Timestamps.fromMillis(change.write().nowMillis());
    PermissionRequest.Builder after = before.getRequest().toBuilder().setUpdatedAt(now);
    after
        .getResponseBuilder()
        .setVoided(
            VoidedApproval.newBuilder()
                .setReason(reason)
                .setVoidedAt(now)
                .setWasUsed(wasUsed(before)));
    store.update(change.write(), before, before.toBuilder().setRequest(after).build());
  }

  private static Payload facts(AskedPermission step, String stepKey) {
    return Payload.of()
        .text("permission_request_id", step.getRequestId())
        .text("grant_id", step.getGrantId())
        .text("step_key", stepKey);
  }
}
