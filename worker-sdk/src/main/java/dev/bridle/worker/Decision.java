package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What became of asking for a permission.
 *
 * @param verdict whether the action may be done
 * @param requestId the permission request; empty where a standing grant allows it, or where the
 *     task's persona decided
 * @param optionId the option that was chosen
 * @param reason why, as whoever decided said
 * @param grantId the standing grant that allows it
 * @param answer further words of the deciding answer
 */
public record Decision(
    Verdict verdict,
    Optional<String> requestId,
    Optional<String> optionId,
    Optional<String> reason,
    Optional<String> grantId,
    Optional<JsonNode> answer) {

  /** Whether an action may be done. */
  public enum Verdict {
    /** It may, now and once. */
    ALLOWED,
    /** It may not. */
    DENIED,
    /** Nobody decided in time, which is no denial; another step key asks again. */
    EXPIRED,
    /** It may not: the persona only watches. It is recorded; go on without doing it. */
    SHADOWED,
    /** It may not: the persona only proposes. It is recorded; go on without doing it. */
    PROPOSED
  }

  /** Returns whether the action may be done. */
  public boolean allowed() {
    return verdict == Verdict.ALLOWED;
  }

  /**
   * Does nothing where the action may be done.
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
              "permission_expired", "Nobody decided in time whether the action may be done.");
      case SHADOWED, PROPOSED ->
          throw new TaskFailure("policy_violation", "The task's persona only watches or proposes.");
    }
  }
}
