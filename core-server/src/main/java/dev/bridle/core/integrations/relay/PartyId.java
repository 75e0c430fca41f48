package dev.bridle.core.integrations.relay;

import dev.bridle.relay.v1.PartyRole;

/**
 * Who sends and receives messages.
 *
 * @param role the role
 * @param id the id, unique within the role
 */
public record PartyId(PartyRole role, String id) {
  /** Returns the enforcer of an id. */
  public static PartyId enforcer(String id) {
    return new PartyId(PartyRole.PARTY_ROLE_ENFORCER, id);
  }

  /** Returns the approver of an id. */
  public static PartyId approver(String id) {
    return new PartyId(PartyRole.PARTY_ROLE_APPROVER, id);
  }

  /** Returns the id of its record, which also owns its mailbox. */
  public String key() {
    return prefix(role) + id;
  }

  /** Returns how the keys of a role begin. */
  static String prefix(PartyRole role) {
    return switch (role) {
      case PARTY_ROLE_ENFORCER -> "enforcer/";
      case PARTY_ROLE_APPROVER -> "approver/";
      default -> "unknown/";
    };
  }
}
