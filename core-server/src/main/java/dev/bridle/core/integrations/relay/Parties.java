package dev.bridle.core.integrations.relay;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.PartyRecord;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.Party;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAuditEntry;
import dev.bridle.relay.v1.RelayAuditKind;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who may send and receive what. An enforcer's id belongs to the actor of its first artifact; an
 * approver's to whom an administrator has named, since whoever holds it can decide. A revoked id is
 * never given out again.
 */
final class Parties {
  private static final int PAGE = 200;

  private final RecordStore<PartyRecord> records;
  private final RelayAudit audit;
  private final RelayLimits limits;

  Parties(KeyLayout layout, RelayAudit audit, RelayLimits limits) {
    this.records = RelayRecords.PARTY.store(layout);
    this.audit = audit;
    this.limits = limits;
  }

  /** Returns a party, whether or not it is revoked. */
  Optional<PartyRecord> find(ReadTransaction tr, String tenant, PartyId party) {
    return records.get(tr, tenant, party.key());
  }

  /** Returns whether a caller acts as a party, which reading never makes so. */
  boolean owns(ReadTransaction tr, Caller caller, PartyId party) {
    return find(tr, caller.tenant(), party)
        .filter(record -> isOf(record, caller.actor()))
        .isPresent();
  }

  /** Checks that a caller acts as a party; {@code resource_not_found} otherwise. */
  void need(ReadTransaction tr, Caller caller, PartyId party) {
    if (!owns(tr, caller, party)) {
      throw RelayErrors.noParty(party);
    }
  }

  /** Returns whether a caller acts as one of several parties. */
  boolean ownsAny(ReadTransaction tr, Caller caller, List<String> keys) {
    return records.getAll(tr, caller.tenant(), keys).stream()
        .anyMatch(record -> isOf(record, caller.actor()));
  }

  private static boolean isOf(PartyRecord record, String actor) {
    return record.getRevokedAt() == 0 && record.getActor().equals(actor);
  }

  /**
   * Makes an enforcer's id the actor's, where it is nobody's; else checks that it is the actor's.
   * That of the enforcer beside this relay is nobody else's.
   */
  void claim(Write write, PartyId party) {
    if (party.equals(PartyId.enforcer(LocalRelay.ENFORCER))
        && !write.actor().equals(LocalRelay.ACTOR)) {
      throw RelayErrors.noParty(party);
    }
    Optional<PartyRecord> known = find(write.tr(), write.tenant(), party);
    if (known.isEmpty()) {
      needRoom(write, party.role(), RelayLimits.MAX_ENFORCERS);
      PartyRecord claimed = insert(write, party, write.actor(), "");
      audit.append(write, entry(RelayAuditKind.RELAY_AUDIT_KIND_ENFORCER_CLAIMED, claimed));
    } else if (!isOf(known.get(), write.actor())) {
      throw RelayErrors.noParty(party);
    }
  }

  /** Creates a party of an actor; returns the one that there is where it is the same. */
  PartyRecord create(Write write, PartyId party, String actor) {
    Optional<PartyRecord> known = find(write.tr(), write.tenant(), party);
    if (known.isPresent()) {
      if (!isOf(known.get(), actor)) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_CONFLICT,
                "The id belongs to another actor, or was revoked; choose another one.")
            .blaming("approver_id");
      }
      return known.get();
    }
    needRoom(write, party.role(), limits.approvers());
    PartyRecord created = insert(write, party, actor, "");
    audit.append(write, entry(RelayAuditKind.RELAY_AUDIT_KIND_APPROVER_CREATED, created));
    return created;
  }

  private static RelayAuditEntry.Builder entry(RelayAuditKind kind, PartyRecord party) {
    return RelayAudit.about(kind, party).setPartyActor(party.getActor());
  }

  private void needRoom(Write write, PartyRole role, int most) {
    if (good(write.tr(), write.tenant(), role).size() >= most) {
      String many = role == PartyRole.PARTY_ROLE_APPROVER ? "approvers" : "enforcers";
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The tenant has as many " + many + " as it may; revoke one first.")
          .with("max_" + many, most);
    }
  }

  /**
   * Makes an approver's id the actor's, where it is nobody's, for a device that was paired; else
   * checks that it is the actor's.
   */
  void claimApprover(Write write, PairingDevice device) {
    PartyId approver = PartyId.approver(device.getApproverId());
    Optional<PartyRecord> known = find(write.tr(), write.tenant(), approver);
    if (known.filter(record -> !isOf(record, write.actor())).isPresent()) {
      throw RelayErrors.takenApprover();
    }
    if (known.isEmpty()) {
      needRoom(write, approver.role(), limits.approvers());
      var unused = insert(write, approver, write.actor(), keyOf(write));
    }
    audit.append(write, pairingEntry(device, write.actor()));
  }

  /** Returns the API key that an earlier pairing gave the writing device; empty if none did. */
  private String keyOf(Write write) {
    return Pairings.approverOf(write.actor())
        .flatMap(id -> find(write.tr(), write.tenant(), PartyId.approver(id)))
        .filter(record -> record.getActor().equals(write.actor()))
        .map(PartyRecord::getKeyId)
        .orElse("");
  }

  /** Creates the approver of a paired device, whose id must be new. */
  void pair(Write write, PairingDevice device, String actor, String keyId) {
    PartyId approver = PartyId.approver(device.getApproverId());
    if (find(write.tr(), write.tenant(), approver).isPresent()) {
      throw RelayErrors.takenApprover();
    }
    needRoom(write, approver.role(), limits.approvers());
    var unused = insert(write, approver, actor, keyId);
    audit.append(write, pairingEntry(device, actor).setApiKeyId(keyId));
  }

  private static RelayAuditEntry.Builder pairingEntry(PairingDevice device, String actor) {
    RelayAuditEntry.Builder paired =
        RelayAudit.about(
                RelayAuditKind.RELAY_AUDIT_KIND_DEVICE_PAIRED,
                PartyId.approver(device.getApproverId()))
            .setPartyActor(actor);
    if (!device.getSigningKey().isEmpty()) {
      paired.setSigningKey(device.getSigningKey());
    }
    if (!device.getSignerKeyId().isEmpty()) {
      paired.setSignerKeyId(device.getSignerKeyId());
    }
    return paired;
  }

  private PartyRecord insert(Write write, PartyId party, String actor, String keyId) {
    write.needTenant();
    PartyRecord record =
        PartyRecord.newBuilder()
            .setRole(party.role())
            .setId(party.id())
            .setActor(actor)
            .setKeyId(keyId)
            .setCreatedAt(write.nowMillis())
            .build();
    records.insert(write.tr(), write.tenant(), party.key(), record);
    return record;
  }

  /** Ends a party; {@code resource_not_found} if there is none. */
  PartyRecord revoke(Write write, PartyId party) {
    PartyRecord before =
        find(write.tr(), write.tenant(), party).orElseThrow(() -> RelayErrors.noParty(party));
    if (before.getRevokedAt() != 0) {
      return before;
    }
    PartyRecord after = before.toBuilder().setRevokedAt(write.nowMillis()).build();
    records.update(write.tr(), write.tenant(), party.key(), before, after);
    RelayAuditEntry.Builder revoked =
        RelayAudit.about(RelayAuditKind.RELAY_AUDIT_KIND_PARTY_REVOKED, party);
    if (!after.getKeyId().isEmpty()) {
      revoked.setApiKeyId(after.getKeyId());
    }
    audit.append(write, revoked);
    return after;
  }

  /** Returns when a party was revoked; empty while it is good. */
  Optional<Timestamp> revokedAt(ReadTransaction tr, String tenant, PartyId party) {
    return find(tr, tenant, party)
        .map(Parties::toParty)
        .filter(Party::hasRevokedAt)
        .map(Party::getRevokedAt);
  }

  /** Returns whether there is a party that is not revoked. */
  boolean isGood(ReadTransaction tr, String tenant, PartyId party) {
    return find(tr, tenant, party).filter(record -> record.getRevokedAt() == 0).isPresent();
  }

  /** Returns the approvers of a tenant that are not revoked. */
  List<PartyId> approvers(ReadTransaction tr, String tenant) {
    return good(tr, tenant, PartyRole.PARTY_ROLE_APPROVER);
  }

  /** Returns the approvers that an actor is, without those that are revoked. */
  List<PartyId> approversOf(ReadTransaction tr, String tenant, String actor) {
    return goodRecords(tr, tenant, PartyRole.PARTY_ROLE_APPROVER).stream()
        .filter(record -> record.getActor().equals(actor))
        .map(record -> PartyId.approver(record.getId()))
        .toList();
  }

  private List<PartyId> good(ReadTransaction tr, String tenant, PartyRole role) {
    return goodRecords(tr, tenant, role).stream()
        .map(record -> new PartyId(role, record.getId()))
        .toList();
  }

  private List<PartyRecord> goodRecords(ReadTransaction tr, String tenant, PartyRole role) {
    String prefix = PartyId.prefix(role);
    List<PartyRecord> good = new ArrayList<>();
    String from = prefix;
    List<PartyRecord> page;
    do {
      page = records.withPrefix(tr, tenant, prefix, from, PAGE);
      for (PartyRecord record : page) {
        if (record.getRevokedAt() == 0) {
          good.add(record);
        }
        from = after(prefix + record.getId());
      }
    } while (page.size() == PAGE);
    return good;
  }

  /** Returns up to {@code limit} parties after the one of a key, in the order of their keys. */
  List<PartyRecord> page(ReadTransaction tr, String tenant, Optional<String> key, int limit) {
    return records.withPrefix(tr, tenant, "", key.map(Parties::after).orElse(""), limit);
  }

  private static String after(String key) {
    return key + "\0";
  }

  static Party toParty(PartyRecord record) {
    Party.Builder party =
        Party.newBuilder()
            .setRole(record.getRole())
            .setId(record.getId())
            .setActor(record.getActor())
            .setCreatedAt(Timestamps.fromMillis(record.getCreatedAt()));
    if (record.getRevokedAt() != 0) {
      party.setRevokedAt(Timestamps.fromMillis(record.getRevokedAt()));
    }
    return party.build();
  }
}
