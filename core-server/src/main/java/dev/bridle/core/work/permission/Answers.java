package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionDelegation;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.record.v1.PermissionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Applies the answers of approvers: one per approver, for the content that was shown, until the
 * quorum decides. The approver is the actor of the credential, or whose device has signed.
 */
public final class Answers {
  private static final int MAX_DELEGATIONS = 64;

  private final PermissionStore store;
  private final Decisions decisions;
  private final PermissionPolicy policy;
  private final PermissionListener listener;

  Answers(
      PermissionStore store,
      Decisions decisions,
      PermissionPolicy policy,
      PermissionListener listener) {
    this.store = store;
    this.decisions = decisions;
    this.policy = policy;
    this.listener = listener;
  }

  /** Applies the answer of the write's actor, as {@link #apply} does. */
  PermissionRequest applyOwn(
      TaskChange change,
      PermissionRecord before,
      RespondPermissionRequestRequest said,
      Optional<String> message) {
    AnswerSource own = new AnswerSource(change.write().actor(), channel(), Optional.empty());
    return apply(change, before, own, said, message);
  }

  /**
   * Applies an answer.
   *
   * @param message the id of the message that contained it; empty if there was none
   * @return the updated request
   */
  PermissionRequest apply(
      TaskChange change,
      PermissionRecord before,
      AnswerSource source,
      RespondPermissionRequestRequest said,
      Optional<String> message) {
    Write write = change.write();
    PermissionRequest request = before.getRequest();
    needPending(request, write.nowMillis());
    needApprover(request, source.actor());
    boolean own = Separation.needOther(policy, change, before, source);
    Requirements.needChannel(request, source.channel());
    needSame(request, said.getContentHash());
    ParsedAnswer given = ParsedAnswer.of(said, request, write.nowMillis());
    needAgreement(request, given);
    PermissionAnswer.Builder made = answer(write, request, source, said, given);
    PermissionAnswer answer = (own ? made.setSelfAnswered(true) : made).build();
    PermissionRequest.Builder after = request.toBuilder();
    after.setUpdatedAt(answer.getAnsweredAt()).getResponseBuilder().addAnswers(answer);
    change.emit(
        EventDraft.of(
            EventKinds.USER_TOOL_CONFIRMATION,
            Payload.of()
                .text("permission_request_id", request.getId())
                .text("step_key", request.getRequest().getStepKey())
                .text("message_id", message.orElse(""))
                .json("answer", ResourceJson.of(answer))));
    decide(change, before, after);
    return after.build();
  }

  private void decide(TaskChange change, PermissionRecord before, PermissionRequest.Builder after) {
    PermissionQuestion asked = after.getRequest();
    long yes =
        after.getResponse().getAnswersList().stream().filter(PermissionAnswer::getApproved).count();
    long said = after.getResponse().getAnswersCount();
    long left = asked.getApproversCount() - said;
    boolean open = asked.getApproversCount() == 0;
    boolean enough =
        yes >= asked.getApproversRequired() && Requirements.rolesAreMet(asked.getPolicy(), after);
    boolean reachable = open ? yes == said : left > 0 && yes + left >= asked.getApproversRequired();
    if (enough) {
      decisions.approve(change, before, after);
    } else if (!reachable) {
      decisions.deny(change, before, after);
    } else {
      store.update(change.write(), before, before.toBuilder().setRequest(after).build());
      listener.changed(change, after.build());
    }
  }

  private static ApprovalChannel channel() {
    return RequestInfo.isFrame()
        ? ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET
        : ApprovalChannel.APPROVAL_CHANNEL_REST;
  }

  private PermissionAnswer.Builder answer(
      Write write,
      PermissionRequest request,
      AnswerSource source,
      RespondPermissionRequestRequest said,
      ParsedAnswer given) {
    PermissionAnswer.Builder answer =
        PermissionAnswer.newBuilder()
            .setActor(source.actor())
            .setApproved(given.approved())
            .setChannel(source.channel())
            .setAnswer(said.getAnswer())
            .setMetadata(said.getMetadata())
            .setAnsweredAt(Timestamps.fromMillis(write.nowMillis()))
            .setContentHash(request.getRequest().getContentHash());
    List<ApprovalRoleCount> counted = request.getRequest().getPolicy().getRolesList();
    if (!counted.isEmpty()) {
      Set<String> has = policy.rolesOf(write, source.actor());
      counted.stream()
          .map(ApprovalRoleCount::getRole)
          .filter(has::contains)
          .forEach(answer::addRoles);
    }
    source.evidence().ifPresent(answer::setEvidence);
    given.option().ifPresent(option -> answer.setOptionId(option.getId()));
    given.grant().ifPresent(answer::setGrant);
    given.until().ifPresent(answer::setGrantUntil);
    given.arguments().ifPresent(answer::setArguments);
    if (said.hasReviewer()) {
      answer.setReviewer(said.getReviewer());
    }
    if (said.hasReason()) {
      answer.setReason(said.getReason());
    }
    return answer;
  }

  /**
   * Delegates the write's actor's part of a request to another actor. Returns the updated request.
   */
  PermissionRequest delegate(
      TaskChange change, PermissionRecord before, String to, Optional<String> reason) {
    Write write = change.write();
    PermissionRequest request = before.getRequest();
    needPending(request, write.nowMillis());
    PermissionQuestion asked = request.getRequest();
    if (asked.getApproversCount() == 0) {
      throw conflict(
          request,
          "The request names no approvers, so anybody who may answer requests can answer it.");
    }
    needApprover(request, write.actor());
    Separation.needOther(change, before, to);
    if (asked.getApproversList().contains(to)) {
      throw conflict(
          request, "The actor that the request is delegated to is already one of its approvers.");
    }
    if (asked.getDelegationsCount() >= MAX_DELEGATIONS) {
      throw conflict(request, "The request was delegated too often; answer it.");
    }
    PermissionDelegation.Builder delegation =
        PermissionDelegation.newBuilder()
            .setFrom(write.actor())
            .setTo(to)
            .setDelegatedAt(Timestamps.fromMillis(write.nowMillis()));
    reason.ifPresent(delegation::setReason);
    List<String> approvers = new ArrayList<>(asked.getApproversList());
    approvers.set(approvers.indexOf(write.actor()), to);
    PermissionRequest.Builder after = request.toBuilder().setUpdatedAt(delegation.getDelegatedAt());
    after
        .getRequestBuilder()
        .clearApprovers()
        .addAllApprovers(approvers)
        .addDelegations(delegation);
    store.update(write, before, before.toBuilder().setRequest(after).build());
    listener.changed(change, after.build());
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_DELEGATED,
            Payload.of()
                .text("permission_request_id", request.getId())
                .text("from", write.actor())
                .text("to", to)
                .text("reason", reason.orElse(""))));
    return after.build();
  }

  /** Rejects answers after the request's expiry, even if the sweeper has not expired it yet. */
  private static void needPending(PermissionRequest request, long now) {
    if (request.getStatus() != PermissionStatus.PERMISSION_STATUS_PENDING) {
      List<PermissionAnswer> answers = request.getResponse().getAnswersList();
      ProtocolException decided =
          conflict(request, "The permission request has been decided.")
              .with("decided_at", Timestamps.toString(request.getResponse().getDecidedAt()));
      boolean byAnswer = request.getStatus() != PermissionStatus.PERMISSION_STATUS_EXPIRED;
      throw byAnswer && !answers.isEmpty()
          ? decided.with("decided_by", answers.get(answers.size() - 1).getActor())
          : decided;
    }
    if (now >= PendingPermission.expiresAt(request)) {
      throw conflict(request, "The permission request has expired.")
          .with("expires_at", Timestamps.toString(request.getRequest().getExpiresAt()));
    }
  }

  private static void needApprover(PermissionRequest request, String actor) {
    boolean answered =
        request.getResponse().getAnswersList().stream()
            .anyMatch(answer -> answer.getActor().equals(actor));
    if (answered) {
      throw conflict(request, "The actor has already answered the permission request.")
          .with("actor", actor);
    }
    List<String> approvers = request.getRequest().getApproversList();
    if (!approvers.isEmpty() && !approvers.contains(actor)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The actor is not an approver of the permission request.")
          .with("permission_request_id", request.getId());
    }
  }

  private static void needAgreement(PermissionRequest request, ParsedAnswer given) {
    if (given.approved() && !GivenArguments.agree(request, given.arguments())) {
      throw conflict(
              request,
              "An earlier approval has other arguments: approve with the same ones, or deny.")
          .blaming("arguments");
    }
    if (given.approved() && !OptionRules.agree(request, given.option())) {
      throw conflict(
              request, "An earlier approval names another option: name the same one, or deny.")
          .blaming("option_id");
    }
  }

  private static void needSame(PermissionRequest request, String hash) {
    String shown = request.getRequest().getContentHash();
    if (!hash.isEmpty() && !hash.equals(shown)) {
      throw conflict(
              request,
              "The answer's content hash differs from the content of the permission request.")
          .with("content_hash", shown)
          .blaming("content_hash");
    }
  }

  private static ProtocolException conflict(PermissionRequest request, String sentence) {
    String status =
        request
            .getStatus()
            .name()
            .substring("PERMISSION_STATUS_".length())
            .toLowerCase(Locale.ROOT);
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, sentence)
        .with("permission_request_id", request.getId())
        .with("status", status);
  }
}
