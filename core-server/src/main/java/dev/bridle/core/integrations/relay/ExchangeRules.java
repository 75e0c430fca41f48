package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.record.v1.ExchangeArtifactRecord;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.ExchangeStatus;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Mailbox;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * What may be done to an exchange, and by whom. Each change is found done when it is asked for
 * again, by its own content: that is what makes commands of the relay idempotent.
 */
final class ExchangeRules {
  private final Parties parties;
  private final ExchangeStore exchanges;
  private final Routing routing;
  private final PartyRates rates;
  private final ExchangeLifecycle lifecycle;
  private final RelayLimits limits;

  ExchangeRules(
      Parties parties,
      ExchangeStore exchanges,
      PairingStore pairings,
      PartyRates rates,
      RelayLimits limits) {
    this.parties = parties;
    this.exchanges = exchanges;
    this.routing = new Routing(parties, pairings, exchanges.mailbox(), limits);
    this.rates = rates;
    this.lifecycle = new ExchangeLifecycle(limits);
    this.limits = limits;
  }

  /** Opens the exchange of an artifact. What was submitted before is compared by its hash alone. */
  ExchangeRecord submit(Write write, SubmittedArtifact artifact) throws HarpException {
    parties.claim(write, artifact.enforcer());
    var known = exchanges.find(write.tr(), write.tenant(), artifact.requestId());
    if (known.isPresent()) {
      boolean same =
          known.get().getEnforcerId().equals(artifact.enforcer().id())
              && known.get().getArtifactHash().equals(artifact.body().artifactHash());
      if (!same) {
        throw RelayErrors.alreadyExists(artifact.requestId());
      }
      return known.get();
    }
    ByteString body = Envelopes.bytes(ApprovalBody.stored(artifact));
    artifact.checkTimes(Instant.ofEpochMilli(write.nowMillis()), limits);
    if (!artifact.enforcer().id().equals(LocalRelay.ENFORCER)) {
      // What that one asks follows from tasks, whose quotas bound it.
      rates.countSubmission(write, artifact.enforcer(), artifact.requestId());
    }
    List<PartyId> recipients = routing.recipients(write, artifact);
    ExchangeRecord exchange = exchange(write, artifact, recipients);
    exchanges.insert(
        write,
        exchange,
        ExchangeArtifactRecord.newBuilder()
            .setRequestId(exchange.getRequestId())
            .setBody(body)
            .build());
    return exchange;
  }

  private static ExchangeRecord exchange(
      Write write, SubmittedArtifact artifact, List<PartyId> recipients) {
    ExchangeRecord.Builder exchange =
        ExchangeRecord.newBuilder()
            .setRequestId(artifact.requestId())
            .setEnforcerId(artifact.enforcer().id())
            .setArtifactHash(artifact.body().artifactHash())
            .setStatus(ExchangeStatus.EXCHANGE_STATUS_PENDING_APPROVAL)
            .setCreatedAt(write.nowMillis())
            .setChangedAt(write.nowMillis())
            .setExpiresAt(artifact.body().expiresAt())
            .setExpiresAtMillis(artifact.expiresAt().toEpochMilli())
            .setDueAt(artifact.expiresAt().toEpochMilli());
    for (PartyId recipient : recipients) {
      exchange.addRecipients(
          ExchangeRecipient.newBuilder()
              .setApproverId(recipient.id())
              .setMessageId(write.id("msg")));
    }
    return exchange.build();
  }

  /** Decides an exchange: the first decision of a recipient counts, and no other one. */
  ExchangeRecord decide(Write write, Caller caller, SubmittedDecision decision)
      throws HarpException {
    parties.need(write.tr(), caller, decision.approver());
    ExchangeRecord before = received(write, decision.approver(), decision.requestId());
    if (!before.getArtifactHash().equals(decision.artifactHash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "artifact_hash",
          "The decision is about another artifact than the request's.");
    }
    if (before.hasOutcome()) {
      if (!decision.repeats(before.getOutcome())) {
        throw RelayErrors.alreadyDecided(before.getRequestId());
      }
      return before;
    }
    switch (ExchangeLifecycle.stateAt(before, write.nowMillis())) {
      case PENDING_APPROVAL -> decision.checkTimes(Instant.ofEpochMilli(write.nowMillis()), limits);
      case EXPIRED ->
          throw new HarpException(
              HarpErrorCode.EXPIRED, "expired", "The time to decide the request is over.");
      default -> throw closed(before, write.nowMillis());
    }
    rates.countDecision(write, decision.approver(), decision.requestId());
    ExchangeRecord after =
        lifecycle
            .move(before, ExchangeStatus.EXCHANGE_STATUS_DECIDED, write.nowMillis())
            .toBuilder()
            .setOutcome(decision.outcome(write.id("msg"), write.nowMillis()))
            .build();
    exchanges.decide(write, before, after, decision.stored());
    return after;
  }

  void countDecision(Write write, PartyId approver, String requestId) {
    rates.countDecision(write, approver, requestId);
  }

  private ExchangeRecord received(Write write, PartyId approver, String requestId) {
    return exchanges
        .find(write.tr(), write.tenant(), requestId)
        .filter(exchange -> recipientAt(exchange, approver) >= 0)
        .orElseThrow(() -> RelayErrors.noExchange(requestId));
  }

  private static int recipientAt(ExchangeRecord exchange, PartyId approver) {
    return exchange.getRecipientsList().stream()
        .map(ExchangeRecipient::getApproverId)
        .toList()
        .indexOf(approver.id());
  }

  /** Removes an exchange from an approver's inbox, who may still decide it. */
  ExchangeRecord dismiss(Write write, Caller caller, PartyId approver, String requestId) {
    parties.need(write.tr(), caller, approver);
    ExchangeRecord before = received(write, approver, requestId);
    int at = recipientAt(before, approver);
    if (before.getRecipients(at).getDismissed()) {
      return before;
    }
    ExchangeRecord after =
        before.toBuilder()
            .setRecipients(at, before.getRecipients(at).toBuilder().setDismissed(true))
            .build();
    exchanges.update(write, before, after);
    return after;
  }

  /** Takes an exchange back, for its enforcer. */
  ExchangeRecord withdraw(Write write, Caller caller, String requestId, String reason) {
    ExchangeRecord before = owned(write.tr(), caller, requestId);
    return end(write, before, ExchangeStatus.EXCHANGE_STATUS_WITHDRAWN, reason, ByteString.EMPTY);
  }

  /** Takes an exchange of an enforcer back, if there is one that has not ended. */
  void withdrawOwn(
      Write write, String enforcerId, String requestId, String reason, ByteString end) {
    exchanges
        .find(write.tr(), write.tenant(), requestId)
        .filter(exchange -> exchange.getEnforcerId().equals(enforcerId))
        .filter(exchange -> ExchangeLifecycle.isPending(exchange, write.nowMillis()))
        .ifPresent(
            exchange ->
                end(write, exchange, ExchangeStatus.EXCHANGE_STATUS_WITHDRAWN, reason, end));
  }

  /** Cancels an exchange, for an administrator. */
  ExchangeRecord cancel(Write write, String requestId, Consumer<ExchangeRecord> ended) {
    ExchangeRecord before =
        exchanges
            .find(write.tr(), write.tenant(), requestId)
            .orElseThrow(() -> RelayErrors.noExchange(requestId));
    ExchangeRecord after =
        end(write, before, ExchangeStatus.EXCHANGE_STATUS_CANCELLED, "", ByteString.EMPTY);
    if (before.getStatus() != after.getStatus()) {
      ended.accept(after);
    }
    return after;
  }

  /**
   * Cancels exchanges of a revoked enforcer that are open, up to {@code most}, and returns how many
   * they were.
   */
  int cancelOpen(Write write, PartyId enforcer, int most) {
    List<Mailbox.Entry> open =
        exchanges.waiting(write.tr(), write.tenant(), enforcer, Folder.PENDING, most);
    open.forEach(entry -> cancelOpen(write, entry.item()));
    return open.size();
  }

  /** Cancels an exchange whether or not its time is over by now. */
  private void cancelOpen(Write write, String requestId) {
    ExchangeRecord before = exchanges.find(write.tr(), write.tenant(), requestId).orElseThrow();
    exchanges.update(
        write,
        before,
        lifecycle.move(before, ExchangeStatus.EXCHANGE_STATUS_CANCELLED, write.nowMillis()));
  }

  private ExchangeRecord end(
      Write write,
      ExchangeRecord before,
      ExchangeStatus status,
      String reason,
      ByteString signedEnd) {
    if (before.getStatus() == status) {
      return before;
    }
    if (before.hasOutcome()) {
      throw RelayErrors.alreadyDecided(before.getRequestId());
    }
    if (!ExchangeLifecycle.isPending(before, write.nowMillis())) {
      throw closed(before, write.nowMillis());
    }
    ExchangeRecord after =
        lifecycle.move(before, status, write.nowMillis()).toBuilder()
            .setEndReason(reason)
            .setEnd(signedEnd)
            .build();
    exchanges.update(write, before, after);
    return after;
  }

  private static RuntimeException closed(ExchangeRecord exchange, long now) {
    ExchangeState state = ExchangeLifecycle.stateAt(exchange, now);
    return RelayErrors.closed(exchange.getRequestId(), state.spelled());
  }

  /** Makes an exchange delivered, once its enforcer has acknowledged the decision. */
  void delivered(Write write, String requestId) {
    ExchangeRecord before = exchanges.find(write.tr(), write.tenant(), requestId).orElseThrow();
    if (before.getStatus() == ExchangeStatus.EXCHANGE_STATUS_DECIDED) {
      exchanges.update(
          write,
          before,
          lifecycle.move(before, ExchangeStatus.EXCHANGE_STATUS_DELIVERED, write.nowMillis()));
    }
  }

  /**
   * Expires an exchange that is due, or removes it once its retention is over. It has ended when
   * its time was over, however much later this runs.
   */
  void due(Write write, ExchangeRecord exchange) {
    if (exchange.getStatus() == ExchangeStatus.EXCHANGE_STATUS_PENDING_APPROVAL) {
      exchanges.update(
          write,
          exchange,
          lifecycle.move(
              exchange, ExchangeStatus.EXCHANGE_STATUS_EXPIRED, exchange.getExpiresAtMillis()));
    } else {
      exchanges.remove(write, exchange);
    }
  }

  /** Returns an exchange of the caller's enforcer; {@code resource_not_found} otherwise. */
  ExchangeRecord owned(ReadTransaction tr, Caller caller, String requestId) {
    return exchanges
        .find(tr, caller.tenant(), requestId)
        .filter(exchange -> parties.owns(tr, caller, PartyId.enforcer(exchange.getEnforcerId())))
        .orElseThrow(() -> RelayErrors.noExchange(requestId));
  }

  /**
   * Returns an exchange that the caller sends or receives; {@code resource_not_found} otherwise.
   */
  ExchangeRecord seen(ReadTransaction tr, Caller caller, String requestId) {
    return exchanges
        .find(tr, caller.tenant(), requestId)
        .filter(exchange -> parties.ownsAny(tr, caller, RelayRecords.parties(exchange)))
        .orElseThrow(() -> RelayErrors.noExchange(requestId));
  }
}
