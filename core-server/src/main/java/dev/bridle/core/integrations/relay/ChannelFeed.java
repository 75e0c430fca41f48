package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.record.v1.DeviceNotice;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.Mailbox;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads what a channel sends next. */
final class ChannelFeed {
  private static final int ROWS_AT_ONCE = 20;

  private final Parties parties;
  private final ExchangeStore exchanges;
  private final ChannelStore channels;
  private final Envelopes envelopes;
  private final ApproverNotices notices;

  ChannelFeed(
      Parties parties,
      ExchangeStore exchanges,
      ChannelStore channels,
      Envelopes envelopes,
      ApproverNotices notices) {
    this.parties = parties;
    this.exchanges = exchanges;
    this.channels = channels;
    this.envelopes = envelopes;
    this.notices = notices;
  }

  /** Returns the ids of the notices that wait for an approver. */
  Set<String> notices(ReadTransaction tr, String tenant, PartyId approver) {
    return notices.waiting(tr, tenant, approver.id()).stream()
        .map(DeviceNotice::getId)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * What comes next.
   *
   * @param envelope what is sent; empty where there is nothing for now, or only at later positions
   * @param position up to where the inbox has been read then
   * @param more whether to read on at once
   */
  record Next(Optional<ByteString> envelope, Optional<LogPosition> position, boolean more) {
    /** Returns that nothing changes. */
    static Next nothing(Optional<LogPosition> position) {
      return new Next(Optional.empty(), position, false);
    }
  }

  /**
   * Returns what a channel sends next; {@code resource_not_found} once its party is revoked.
   *
   * @param after up to where its inbox has been read
   */
  Next next(
      ReadTransaction tr,
      Caller caller,
      RelayChannelRecord channel,
      Optional<LogPosition> after,
      long now) {
    PartyId party = RelayRecords.party(channel);
    parties.need(tr, caller, party);
    boolean enforcer = party.role() == PartyRole.PARTY_ROLE_ENFORCER;
    if (enforcer && !isNewest(tr, caller.tenant(), party, channel, now)) {
      return Next.nothing(after); // Another channel of the enforcer sends, until it is closed.
    }
    List<Mailbox.Entry> rows =
        exchanges
            .mailbox()
            .page(tr, caller.tenant(), party.key(), Folder.INBOX.number(), after, ROWS_AT_ONCE);
    Optional<LogPosition> at = after;
    for (Mailbox.Entry row : rows) {
      at = Optional.of(row.position());
      Optional<ByteString> envelope =
          exchanges
              .find(tr, caller.tenant(), row.item())
              .flatMap(exchange -> envelope(tr, caller.tenant(), party, exchange, now));
      if (envelope.isPresent()) {
        return new Next(envelope, at, true);
      }
    }
    return new Next(Optional.empty(), at, rows.size() == ROWS_AT_ONCE);
  }

  private boolean isNewest(
      ReadTransaction tr, String tenant, PartyId party, RelayChannelRecord channel, long now) {
    return channels
        .newest(tr, tenant, party, now)
        .filter(newest -> newest.getId().equals(channel.getId()))
        .isPresent();
  }

  private Optional<ByteString> envelope(
      ReadTransaction tr, String tenant, PartyId party, ExchangeRecord exchange, long now) {
    if (party.role() == PartyRole.PARTY_ROLE_ENFORCER) {
      return isUnacknowledged(tr, tenant, exchange.getOutcome().getMessageId())
          ? Optional.of(
              Envelopes.bytes(
                  envelopes.decisionDeliver(
                      exchange, exchanges.decision(tr, tenant, exchange.getRequestId()))))
          : Optional.empty();
    }
    return exchange.getRecipientsList().stream()
        .filter(recipient -> recipient.getApproverId().equals(party.id()))
        .filter(recipient -> ExchangeLifecycle.isPending(exchange, now))
        .filter(recipient -> isUnacknowledged(tr, tenant, recipient.getMessageId()))
        .findFirst()
        .map(recipient -> request(tr, tenant, exchange, recipient));
  }

  private ByteString request(
      ReadTransaction tr, String tenant, ExchangeRecord exchange, ExchangeRecipient to) {
    return Envelopes.bytes(
        envelopes.approvalRequest(
            exchange, to, exchanges.artifact(tr, tenant, exchange.getRequestId())));
  }

  private boolean isUnacknowledged(ReadTransaction tr, String tenant, String messageId) {
    return exchanges
        .message(tr, tenant, messageId)
        .map(RelayMessageRecord::getReceivedAt)
        .filter(at -> at == 0)
        .isPresent();
  }
}
