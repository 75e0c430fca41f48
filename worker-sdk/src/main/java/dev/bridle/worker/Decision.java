package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The result of a permission request.
 *
 * @param verdict whether the action is allowed
 * @param requestId the permission request; empty if a standing grant or the task's persona decided
 * @param optionId the option that was chosen
 * @param reason the reason given with the decision
 * @param grantId the standing grant that allows it
 * @param answer additional content of the deciding answer
 * @param modifiedArguments what the action is allowed with, instead of the member of its content
 *     that was to be {@linkplain Permission#acceptingModified replaced}; empty if it is allowed as
 *     it was asked for
 */
public record Decision(
    Verdict verdict,
    Optional<String> requestId,
    Optional<String> optionId,
    Optional<String> reason,
    Optional<String> grantId,
    Optional<JsonNode> answer,
    Optional<ObjectNode> modifiedArguments) {

  /** Whether an action is allowed. */
  public enum Verdict {
    /** Allowed once, now. */
    ALLOWED,
    /** Denied. */
    DENIED,
    /**
     * The request expired without a decision, which is not a denial; use another step key to ask
     * again.
     */
    EXPIRED,
    /**
     * Not allowed: the persona runs in shadow mode. The action is recorded; continue without it.
     */
    SHADOWED,
    /** Not allowed: the persona may only suggest. The action is recorded; continue without it. */
    PROPOSED
  }

  /** Returns whether the action is allowed. */
  public boolean allowed() {
    return verdict == Verdict.ALLOWED;
  }

  /**
   * Does nothing if the action is allowed; throws otherwise.
   *
   * @throws TaskFailure with `permission_denied`, `permission_expired` or `policy_violation`
   *     otherwise
   */
  public void needAllowed() throws TaskFailure {
    switch (verdict) {
      case ALLOWED -> {}
      case DENIED ->
          throw new TaskFailure(
              "permission_denied",
              "The action was denied" + reason.map(why -> ": " + why).orElse("."));
      case EXPIRED ->
          throw new TaskFailure(
              "permission_expired", "The permission request expired without a decision.");
      case SHADOWED, PROPOSED ->
          throw new TaskFailure(
              "policy_violation", "The task's persona may only observe or" + " suggest actions.");
    }
  }
}
