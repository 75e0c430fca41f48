package dev.bridle.core.work.permission;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.validate.CanonicalJson;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import java.util.Optional;

/**
 * The rules of answers that approve an action with other arguments: only where the request accepts
 * that, never with a standing grant, and the same arguments in all approvals.
 */
final class GivenArguments {
  private static final String ARGUMENTS = "arguments";

  private GivenArguments() {}

  /**
   * Returns the arguments that an answer gives; empty if it gives none, or those that were asked
   * for.
   */
  static Optional<ByteString> of(
      RespondPermissionRequestRequest said, PermissionRequest request, boolean approved) {
    if (!said.hasArguments()) {
      return Optional.empty();
    }
    if (!approved) {
      throw ProtocolException.invalid(ARGUMENTS, "is only valid with an approval");
    }
    PermissionQuestion asked = request.getRequest();
    if (!asked.getAcceptsModified()) {
      throw ProtocolException.invalid(
          ARGUMENTS, "is not accepted: the agent can only do exactly what it has asked for");
    }
    if (said.hasGrant()) {
      throw ProtocolException.invalid(
          ARGUMENTS, "can't be given with a grant, which is for what the agent has asked for");
    }
    ByteString given = said.getArguments();
    boolean same =
        ModifiedAction.arguments(request.getAction().getContent(), asked.getArgumentsMember())
            .filter(before -> same(before, given))
            .isPresent();
    if (same) {
      return Optional.empty();
    }
    if (ModifiedAction.content(request, given).size() > ModifiedAction.MAX_CONTENT) {
      throw ProtocolException.invalid(
          ARGUMENTS,
          "makes the content of the action longer than " + ModifiedAction.MAX_CONTENT + " bytes");
    }
    return Optional.of(given);
  }

  /** Returns whether an approval with these arguments agrees with those that there are. */
  static boolean agree(PermissionRequest request, Optional<ByteString> given) {
    return request.getResponse().getAnswersList().stream()
        .filter(PermissionAnswer::getApproved)
        .findFirst()
        .map(GivenArguments::in)
        .filter(first -> !same(first, given))
        .isEmpty();
  }

  /** Returns the arguments that all approvals of a request have. */
  static Optional<ByteString> approved(PermissionRequest.Builder request) {
    return request.getResponse().getAnswersList().stream()
        .filter(PermissionAnswer::getApproved)
        .findFirst()
        .flatMap(GivenArguments::in);
  }

  private static Optional<ByteString> in(PermissionAnswer answer) {
    return answer.hasArguments() ? Optional.of(answer.getArguments()) : Optional.empty();
  }

  private static boolean same(Optional<ByteString> one, Optional<ByteString> other) {
    return one.isPresent() == other.isPresent()
        && (one.isEmpty() || same(one.get(), other.orElseThrow()));
  }

  private static boolean same(ByteString one, ByteString other) {
    return CanonicalJson.of(one).equals(CanonicalJson.of(other));
  }
}
