package dev.bridle.core.work.permission;

import com.google.protobuf.Timestamp;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.record.v1.PermissionRecord;
import java.util.Optional;

/** Applies answers that the devices of approvers have signed, and their enforcer has verified. */
public final class SignedAnswers {
  private final Answers answers;

  SignedAnswers(Answers answers) {
    this.answers = answers;
  }

  /**
   * What a device has signed.
   *
   * @param principal the approver whose device it is
   * @param approved whether it approves
   * @param reason what the approver said to it; the evidence has its salt where it is signed
   * @param option the agent's option that the approver has pressed, which is not signed
   * @param grant the standing grant that is signed too
   * @param evidence the signed decision
   */
  public record SignedAnswer(
      String principal,
      boolean approved,
      Optional<String> reason,
      Optional<String> option,
      Optional<ChosenGrant> grant,
      DecisionEvidence evidence) {}

  /**
   * A standing grant that an approver chooses.
   *
   * @param id its id, of those that were offered
   * @param until when it ends
   */
  public record ChosenGrant(String id, Timestamp until) {}

  /**
   * Applies an answer; {@code conflict} if the request is decided, or the approver has answered it;
   * {@code permission_denied} if it is not theirs to answer, or not by this channel.
   *
   * @return the updated request
   */
  public PermissionRequest apply(TaskChange change, PermissionRecord before, SignedAnswer signed) {
    RespondPermissionRequestRequest.Builder said =
        RespondPermissionRequestRequest.newBuilder()
            .setRequestId(before.getRequest().getId())
            .setApproved(signed.approved());
    signed.reason().ifPresent(said::setReason);
    signed.option().ifPresent(said::setOptionId);
    signed.grant().ifPresent(grant -> said.setGrant(grant.id()).setUntil(grant.until()));
    return answers.apply(
        change,
        before,
        new AnswerSource(
            signed.principal(),
            ApprovalChannel.APPROVAL_CHANNEL_HARP,
            Optional.of(signed.evidence())),
        said.build(),
        Optional.empty());
  }
}
