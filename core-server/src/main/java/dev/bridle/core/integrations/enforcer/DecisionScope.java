package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.work.permission.SignedAnswers;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionQuestion;
import java.time.Instant;
import java.util.Optional;

/**
 * What a decision for longer than a single use grants beside that use (HARP-CORE, "Scopes"): one of
 * the standing grants that the artifact has shown, until the decision's own time is over. None is
 * wider or longer than what was offered.
 */
final class DecisionScope {
  private DecisionScope() {}

  /**
   * Returns the grant that a decision chooses; empty if it is for a single use.
   *
   * @param asked with the grants that were shown
   * @throws HarpException {@code SCOPE} if that was not offered, or is wider than the scope; {@code
   *     EXPIRED} if it would be over already
   */
  static Optional<SignedAnswers.ChosenGrant> grant(
      Decision decision, PermissionQuestion asked, Instant now) throws HarpException {
    if (decision.answer() == Answer.DENY) {
      return Optional.empty();
    }
    if (decision.scope() == Scope.ONCE && decision.grant().isPresent()) {
      throw refused("A decision for a single use chooses no grant.");
    }
    Optional<OfferedGrant> chosen = chosen(decision, asked);
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    if (decision.scope() == Scope.SESSION && outlastsSession(chosen.get())) {
      throw refused("A decision for a session can't choose a grant that outlasts it.");
    }
    Timestamp until = earlier(decision.expiresAt(), chosen.get());
    if (Timestamps.toMillis(until) <= now.toEpochMilli()) {
      throw new HarpException(
          HarpErrorCode.EXPIRED,
          "grant_expired",
          "What the decision grants would be over already.");
    }
    return Optional.of(new SignedAnswers.ChosenGrant(chosen.get().getId(), until));
  }

  private static Optional<OfferedGrant> chosen(Decision decision, PermissionQuestion asked)
      throws HarpException {
    Optional<String> named = decision.grant();
    if (named.isPresent()) {
      Optional<OfferedGrant> offered =
          asked.getOfferedGrantsList().stream()
              .filter(one -> one.getId().equals(named.get()))
              .findFirst();
      if (offered.isEmpty()) {
        throw refused("The grant that the decision names was not offered.");
      }
      return offered;
    }
    return switch (decision.scope()) {
      case ONCE -> Optional.empty();
      case TIMEBOX ->
          // Still a single use, unless rules say that it may be more.
          asked.hasPolicy()
              ? offered(asked, GrantScope.GRANT_SCOPE_ACTION_UNTIL)
              : Optional.empty();
      case SESSION -> {
        Optional<OfferedGrant> action = offered(asked, GrantScope.GRANT_SCOPE_ACTION);
        if (action.isEmpty()) {
          throw refused("No grant for the session is offered.");
        }
        yield action;
      }
    };
  }

  private static Optional<OfferedGrant> offered(PermissionQuestion asked, GrantScope scope) {
    return asked.getOfferedGrantsList().stream().filter(one -> one.getScope() == scope).findFirst();
  }

  private static boolean outlastsSession(OfferedGrant grant) {
    return grant.getScope() == GrantScope.GRANT_SCOPE_WORKSPACE
        || grant.getScope() == GrantScope.GRANT_SCOPE_EDITS;
  }

  private static Timestamp earlier(Instant end, OfferedGrant grant) {
    Timestamp until = Timestamps.fromMillis(end.toEpochMilli());
    return grant.hasUntil() && Timestamps.compare(grant.getUntil(), until) < 0
        ? grant.getUntil()
        : until;
  }

  private static HarpException refused(String why) {
    return new HarpException(HarpErrorCode.SCOPE, "grant", why);
  }
}
