package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.DeviceNotice;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.ReadTransaction;
import java.util.List;
import java.util.Optional;

/** What parties receive, and acknowledge. */
final class Inboxes {
  private final Parties parties;
  private final ExchangeStore exchanges;
  private final ExchangeRules rules;
  private final InboxPages pages;
  private final Envelopes envelopes;
  private final ApproverNotices notices;

  Inboxes(
      Parties parties,
      ExchangeStore exchanges,
      ExchangeRules rules,
      InboxPages pages,
      Envelopes envelopes,
      ApproverNotices notices) {
    this.parties = parties;
    this.exchanges = exchanges;
    this.rules = rules;
    this.pages = pages;
    this.envelopes = envelopes;
    this.notices = notices;
  }

  /** Returns a page of a party's inbox, for a caller that acts as the party. */
  InboxPages.Page page(ReadTransaction tr, Caller caller, ListInboxRequest request, long now) {
    needScope(caller, request.getRole());
    parties.need(tr, caller, new PartyId(request.getRole(), request.getPartyId()));
    return pages.read(tr, caller, request, now);
  }

  /** Returns the notices beside a page that {@link #page} has returned: those of the first one. */
  List<ByteString> notices(ReadTransaction tr, Caller caller, ListInboxRequest request) {
    boolean isFirst = !request.hasCursor() && !request.getExpired();
    return isFirst && request.getRole() == PartyRole.PARTY_ROLE_APPROVER
        ? notices.waiting(tr, caller.tenant(), request.getPartyId()).stream()
            .map(DeviceNotice::getSealed)
            .toList()
        : List.of();
  }

  /** Checks that a caller holds the scope of a role; {@code permission_denied} otherwise. */
  static void needScope(Caller caller, PartyRole role) {
    String scope = role == PartyRole.PARTY_ROLE_ENFORCER ? "harp:enforce" : "harp:approve";
    if (!caller.holds(scope)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The credential lacks the scope for this.")
          .with("required_scope", scope);
    }
  }

  /** Stores that a message has arrived at its party. */
  RelayMessageRecord acknowledge(Write write, Caller caller, SubmittedAck ack) {
    String id = ack.body().messageId();
    return exchanges
        .message(write.tr(), write.tenant(), id)
        .filter(ack::isAbout)
        .filter(
            message ->
                parties.owns(
                    write.tr(), caller, new PartyId(message.getRole(), message.getPartyId())))
        .map(before -> acknowledge(write, before, ack.body().processed()))
        .or(() -> acknowledgeNotice(write, caller, ack))
        .orElseThrow(() -> RelayErrors.noMessage(id));
  }

  private Optional<RelayMessageRecord> acknowledgeNotice(
      Write write, Caller caller, SubmittedAck ack) {
    return ack.approverOfNotice()
        .filter(approver -> parties.owns(write.tr(), caller, PartyId.approver(approver)))
        .flatMap(
            approver ->
                notices.acknowledge(
                    write, approver, ack.body().messageId(), ack.body().processed()))
        .map(
            notice ->
                RelayMessageRecord.newBuilder()
                    .setId(notice.getId())
                    .setRequestId(ack.requestId())
                    .setProcessedAt(notice.getProcessedAt())
                    .build());
  }

  /** Stores that the decision of a request, if there is one, was processed by its enforcer. */
  void processed(Write write, String requestId) {
    exchanges
        .find(write.tr(), write.tenant(), requestId)
        .filter(ExchangeRecord::hasOutcome)
        .flatMap(
            exchange ->
                exchanges.message(write.tr(), write.tenant(), exchange.getOutcome().getMessageId()))
        .ifPresent(
            message -> {
              var unused = acknowledge(write, message, true);
            });
  }

  private RelayMessageRecord acknowledge(
      Write write, RelayMessageRecord before, boolean processed) {
    RelayMessageRecord.Builder after = before.toBuilder();
    if (before.getReceivedAt() == 0) {
      after.setReceivedAt(write.nowMillis());
    }
    if (processed && before.getProcessedAt() == 0) {
      after.setProcessedAt(write.nowMillis());
    }
    RelayMessageRecord acknowledged = after.build();
    if (!acknowledged.equals(before)) {
      exchanges.update(write, before, acknowledged);
    }
    if (before.getRole() == PartyRole.PARTY_ROLE_ENFORCER) {
      rules.delivered(write, before.getRequestId());
    }
    return acknowledged;
  }

  /**
   * Returns what a call that waits for a decision is answered: the decision, or nothing once there
   * will be none; empty while it may still come.
   */
  Optional<ByteString> decision(ReadTransaction tr, String tenant, String requestId, long now) {
    Optional<ExchangeRecord> exchange = exchanges.find(tr, tenant, requestId);
    if (exchange.filter(ExchangeRecord::hasOutcome).isPresent()) {
      return exchange
          .map(
              decided ->
                  envelopes.decisionDeliver(decided, exchanges.decision(tr, tenant, requestId)))
          .map(Envelopes::bytes);
    }
    return exchange.filter(pending -> ExchangeLifecycle.isPending(pending, now)).isPresent()
        ? Optional.empty()
        : Optional.of(ByteString.EMPTY);
  }
}
