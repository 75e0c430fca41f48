package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.Persona;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import java.util.List;
import java.util.Optional;

/**
 * Limits the tasks of a session to the autonomy of its persona. A task may name a persona of its
 * own; one with more autonomy than the session's requires a caller with the scope {@code
 * personas:write}, who could change the session's persona as well.
 */
final class PersonaBounds {
  static final String ADMINISTER = "personas:write";

  private final TenantRecords<Persona> personas;

  PersonaBounds(TenantRecords<Persona> personas) {
    this.personas = personas;
  }

  /**
   * Rejects a persona that exceeds the session's, with {@code permission_denied}.
   *
   * @param persona the persona that the task is to run as
   * @param param the member of the request that names it
   */
  void needWithin(
      ReadTransaction tr, Caller caller, Session session, Persona persona, String param) {
    if (!session.hasPersonaId()
        || session.getPersonaId().equals(persona.getId())
        || lifted(caller)) {
      return;
    }
    Optional<Persona> bound = personas.find(tr, caller, session.getPersonaId());
    if (bound.filter(limit -> !exceeds(persona, limit)).isEmpty()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The persona may do more than the session's persona; name one that may not, or use a"
                  + " credential that may change personas.")
          .blaming(param)
          .with("required_scope", ADMINISTER)
          .with("session_persona_id", session.getPersonaId());
    }
  }

  /** Returns whether a caller may exceed the personas of sessions. */
  static boolean lifted(Caller caller) {
    return caller.holds(ADMINISTER);
  }

  /** Returns whether a persona may do anything that the other may not. */
  static boolean exceeds(Persona persona, Persona limit) {
    return rank(persona.getAutonomyTier()) > rank(limit.getAutonomyTier())
        || exceeds(persona.getToolsList(), limit.getToolsList())
        || exceeds(persona.getCapabilitiesList(), limit.getCapabilitiesList());
  }

  /** An empty list limits nothing. */
  private static boolean exceeds(List<String> allowed, List<String> limit) {
    return !limit.isEmpty() && (allowed.isEmpty() || !limit.containsAll(allowed));
  }

  private static int rank(AutonomyTier tier) {
    return switch (tier) {
      case AUTONOMY_TIER_SHADOW -> 1;
      case AUTONOMY_TIER_SUGGEST -> 2;
      case AUTONOMY_TIER_ACT_AUTO -> 4;
      default -> 3; // Requires approval, like a persona without a tier.
    };
  }
}
