package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.record.v1.DeviceNoticesRecord;
import dev.bridle.record.v1.ExchangeArtifactRecord;
import dev.bridle.record.v1.ExchangeDecisionRecord;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.record.v1.PartyRecord;
import dev.bridle.record.v1.RelayAuditRecord;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import dev.bridle.record.v1.RelayRouteRecord;
import dev.bridle.storage.layer.DueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The kinds of records of the relay. Where they wait for their parties is in the mailboxes: see
 * {@link Placements}. None is exported: parties are bound to credentials, and exchanges to the time
 * in which they can be decided.
 */
public final class RelayRecords {
  /** The definition of parties. */
  public static final RecordDef<PartyRecord> PARTY =
      RecordDef.of(110, "party", PartyRecord.parser())
          .id(record -> new PartyId(record.getRole(), record.getId()).key())
          .build();

  /** The definition of exchanges. */
  public static final RecordDef<ExchangeRecord> EXCHANGE =
      RecordDef.of(111, "exchange", ExchangeRecord.parser())
          .id(ExchangeRecord::getRequestId)
          .besides("exchange artifact")
          .refersToAll("party", RelayRecords::parties)
          .refersToAll("relay message", RelayRecords::messages)
          .refersBy(
              Set.of("exchange decision"),
              (record, to) -> {
                if (record.hasOutcome()) {
                  to.accept(new Reference("exchange decision", record.getRequestId(), false));
                }
              })
          .alwaysDue(DueKind.EXCHANGE, ExchangeRecord::getDueAt)
          .build();

  /** The definition of what enforcers have submitted. */
  public static final RecordDef<ExchangeArtifactRecord> ARTIFACT =
      RecordDef.of(112, "exchange artifact", ExchangeArtifactRecord.parser())
          .id(ExchangeArtifactRecord::getRequestId)
          .besides("exchange")
          .build();

  /** The definition of what approvers have decided. */
  public static final RecordDef<ExchangeDecisionRecord> DECISION =
      RecordDef.of(113, "exchange decision", ExchangeDecisionRecord.parser())
          .id(ExchangeDecisionRecord::getRequestId)
          .besides("exchange")
          .build();

  /** The definition of messages, which are acknowledged by their ids. */
  public static final RecordDef<RelayMessageRecord> MESSAGE =
      RecordDef.of(114, "relay message", RelayMessageRecord.parser())
          .id(RelayMessageRecord::getId)
          .refersTo("exchange", RelayMessageRecord::getRequestId)
          .refersTo("party", record -> new PartyId(record.getRole(), record.getPartyId()).key())
          .build();

  /** The definition of channels, which are stored under their parties. */
  public static final RecordDef<RelayChannelRecord> CHANNEL =
      RecordDef.of(115, "relay channel", RelayChannelRecord.parser())
          .id(record -> channelId(party(record), record.getId()))
          .refersTo("party", record -> party(record).key())
          .alwaysDue(DueKind.CHANNEL, RelayChannelRecord::getDueAt)
          .build();

  /** The definition of pairings. */
  public static final RecordDef<PairingRecord> PAIRING =
      RecordDef.of(116, "pairing", PairingRecord.parser())
          .id(PairingRecord::getNonce)
          .refersTo("party", record -> PartyId.enforcer(record.getOffer().getEnforcerId()).key())
          .alwaysDue(DueKind.PAIRING, PairingRecord::getDueAt)
          .build();

  /** The definition of where artifacts with a routing token go. */
  public static final RecordDef<RelayRouteRecord> ROUTE =
      RecordDef.of(117, "relay route", RelayRouteRecord.parser())
          .id(RelayRouteRecord::getTokenHash)
          .refersToAll(
              "party",
              record ->
                  List.of(
                      PartyId.enforcer(record.getEnforcerId()).key(),
                      PartyId.approver(record.getApproverId()).key()))
          .build();

  /** The definition of entries of the audit log. */
  public static final RecordDef<RelayAuditRecord> AUDIT =
      RecordDef.of(118, "relay audit entry", RelayAuditRecord.parser())
          .id(record -> RelayAudit.id(record.getEntry().getIndex()))
          .build();

  /** The definition of notices, which are stored under their approvers, by device. */
  public static final RecordDef<DeviceNoticesRecord> NOTICES =
      RecordDef.of(124, "device notices", DeviceNoticesRecord.parser())
          .id(record -> noticesId(record.getApproverId(), record.getApprovalDeviceId()))
          .refersTo("approval_device", DeviceNoticesRecord::getApprovalDeviceId)
          .build();

  private RelayRecords() {}

  /** Returns the id of a device's notices; of the approver's first ones where that is empty. */
  static String noticesId(String approverId, String deviceId) {
    return PartyId.approver(approverId).key() + "\n" + deviceId;
  }

  static PartyId party(RelayChannelRecord channel) {
    return new PartyId(channel.getRole(), channel.getPartyId());
  }

  /** Returns the id of the record of a party's channel; of the first one where that is empty. */
  static String channelId(PartyId party, String channel) {
    return party.key() + "\n" + channel;
  }

  /** Returns the keys of the parties of an exchange. */
  static List<String> parties(ExchangeRecord exchange) {
    List<String> keys = new ArrayList<>();
    keys.add(PartyId.enforcer(exchange.getEnforcerId()).key());
    for (ExchangeRecipient recipient : exchange.getRecipientsList()) {
      keys.add(PartyId.approver(recipient.getApproverId()).key());
    }
    return keys;
  }

  /** Returns the ids of the messages of an exchange. */
  static List<String> messages(ExchangeRecord exchange) {
    List<String> ids = new ArrayList<>();
    exchange.getRecipientsList().forEach(recipient -> ids.add(recipient.getMessageId()));
    ids.add(exchange.getOutcome().getMessageId());
    ids.removeIf(String::isEmpty);
    return ids;
  }
}
