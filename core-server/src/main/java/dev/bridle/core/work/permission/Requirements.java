package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionDelegation;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionRequestOrBuilder;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Holds requests, answers, approvals and grants to what approval rules require. */
final class Requirements {
  private Requirements() {}

  /** Adds what rules require to what the agent asks for, and lessens nothing of it. */
  static void add(ApprovalRequirement policy, PermissionQuestion.Builder asked, long nowMillis) {
    asked.setApproversRequired(Math.max(asked.getApproversRequired(), policy.getApprovers()));
    if (policy.hasAnswerWithinSeconds()) {
      long latest = nowMillis + TimeUnit.SECONDS.toMillis(policy.getAnswerWithinSeconds());
      asked.setExpiresAt(
          Timestamps.fromMillis(Math.min(Timestamps.toMillis(asked.getExpiresAt()), latest)));
    }
    asked.setPolicy(policy.toBuilder().setApprovers(asked.getApproversRequired()));
  }

  /** Returns whether rules permit standing grants of a scope. */
  static boolean permit(Optional<ApprovalRequirement> policy, GrantScope scope) {
    return policy.isEmpty() || policy.get().getMayGrantList().contains(scope);
  }

  /**
   * Returns whether rules permit that a standing grant is used: where only devices count, theirs.
   */
  static boolean permit(Optional<ApprovalRequirement> policy, PermissionGrant grant) {
    boolean signedOnly =
        policy.isPresent()
            && policy
                .get()
                .getChannelsList()
                .equals(List.of(ApprovalChannel.APPROVAL_CHANNEL_HARP));
    return permit(policy, grant.getScope())
        && !(signedOnly && grant.getApprovalDeviceIdsCount() < grant.getGrantedByCount());
  }

  /**
   * Returns whether actors who have permitted an action are those, and as many, as an agent asks
   * for.
   *
   * @param delegations by which others have come in the place of those that the agent names
   */
  static boolean meetsAsk(
      RequestPermissionRequest asks, List<String> actors, List<PermissionDelegation> delegations) {
    Set<String> named = new HashSet<>(asks.getApproversList());
    delegations.stream()
        .filter(one -> named.contains(one.getFrom()))
        .forEach(one -> named.add(one.getTo()));
    long counting =
        actors.stream()
            .distinct()
            .filter(actor -> asks.getApproversCount() == 0 || named.contains(actor))
            .count();
    return counting >= Math.max(1, asks.getApproversRequired());
  }

  /** Returns whether an approval that was given earlier is what an agent asks for now. */
  static boolean meetsAsk(RequestPermissionRequest asks, PermissionRequest approved) {
    return meetsAsk(
        asks,
        approved.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .map(PermissionAnswer::getActor)
            .toList(),
        approved.getRequest().getDelegationsList());
  }

  /** Returns whether actors who have given a standing grant are as many as rules require now. */
  static boolean areMet(
      Optional<ApprovalRequirement> policy,
      List<String> actors,
      Function<String, Set<String>> rolesOf) {
    return policy.isEmpty()
        || (actors.stream().distinct().count() >= policy.get().getApprovers()
            && policy.get().getRolesList().stream()
                .allMatch(
                    needed ->
                        actors.stream()
                                .distinct()
                                .filter(actor -> rolesOf.apply(actor).contains(needed.getRole()))
                                .count()
                            >= needed.getCount()));
  }

  /** Checks that an answer came by a channel of the request's; {@code permission_denied} if not. */
  static void needChannel(PermissionRequest request, ApprovalChannel channel) {
    List<ApprovalChannel> channels = request.getRequest().getPolicy().getChannelsList();
    if (!channels.isEmpty() && !channels.contains(channel)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "Approval rules do not take answers to this request by this channel.")
          .with("permission_request_id", request.getId())
          .with("channels", channels.stream().map(Requirements::spell).toList());
    }
  }

  /** Returns how a channel is spelled. */
  static String spell(ApprovalChannel channel) {
    return channel.name().substring("APPROVAL_CHANNEL_".length()).toLowerCase(Locale.ROOT);
  }

  /** Returns whether as many members of each role have approved as rules require. */
  static boolean rolesAreMet(ApprovalRequirement policy, PermissionRequestOrBuilder request) {
    List<PermissionAnswer> answers = request.getResponse().getAnswersList();
    return policy.getRolesList().stream()
        .allMatch(
            needed ->
                answers.stream()
                        .filter(PermissionAnswer::getApproved)
                        .filter(answer -> answer.getRolesList().contains(needed.getRole()))
                        .count()
                    >= needed.getCount());
  }

  /**
   * Returns whether an approval that was given earlier meets what rules require now: they may have
   * come to require more.
   */
  static boolean areMet(
      Optional<ApprovalRequirement> required, PermissionRequest approved, TaskChange change) {
    if (required.isEmpty()) {
      return true;
    }
    ApprovalRequirement now = required.get();
    List<PermissionAnswer> yes =
        approved.getResponse().getAnswersList().stream()
            .filter(PermissionAnswer::getApproved)
            .toList();
    boolean byChannels =
        now.getChannelsCount() == 0
            || yes.stream().allMatch(answer -> now.getChannelsList().contains(answer.getChannel()));
    return byChannels
        && yes.size() >= now.getApprovers()
        && rolesAreMet(now, approved)
        && Separation.areOthers(
            required, change, yes.stream().map(PermissionAnswer::getActor).toList())
        && change.write().nowMillis() < usableUntil(approved, now);
  }

  /** Returns until when an approval can be used, in Unix milliseconds. */
  static long usableUntil(PermissionRequest approved) {
    return usableUntil(approved, approved.getRequest().getPolicy());
  }

  private static long usableUntil(PermissionRequest approved, ApprovalRequirement policy) {
    long expires = PendingPermission.expiresAt(approved);
    return policy.hasUsableForSeconds()
        ? Math.min(
            expires,
            Timestamps.toMillis(approved.getResponse().getDecidedAt())
                + TimeUnit.SECONDS.toMillis(policy.getUsableForSeconds()))
        : expires;
  }
}
