package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The relay of this process, for the enforcer beside it. It is used like any other one, by
 * envelopes, and learns nothing that another one would not.
 */
public final class LocalRelay {
  /** The id that only the enforcer beside this relay has, in each tenant. */
  public static final String ENFORCER = "bridle";

  static final String ACTOR = "bridle";

  private final CoreContext context;
  private final ExchangeRules rules;
  private final Inboxes inboxes;
  private final Parties parties;
  private final Envelopes envelopes;
  private volatile BiConsumer<String, String> decided = (tenant, requestId) -> {};

  LocalRelay(
      CoreContext context,
      ExchangeRules rules,
      Inboxes inboxes,
      Parties parties,
      Envelopes envelopes) {
    this.context = context;
    this.rules = rules;
    this.inboxes = inboxes;
    this.parties = parties;
    this.envelopes = envelopes;
  }

  /**
   * Sets who hears, after the commit, of a tenant and a request of its enforcer that was decided in
   * this process. Decisions in other processes, and before a crash, are not heard of.
   */
  public void onDecision(BiConsumer<String, String> listener) {
    decided = listener;
  }

  void heard(String tenant, ExchangeRecord exchange) {
    if (exchange.getEnforcerId().equals(ENFORCER)) {
      decided.accept(tenant, exchange.getRequestId());
    }
  }

  /** Submits an {@code artifact.submit} envelope, which may be done again. */
  public void submit(String tenant, ByteString envelope) {
    var unused = submit(tenant, ACTOR, envelope);
  }

  private ExchangeRecord submit(String tenant, String actor, ByteString envelope) {
    SubmittedArtifact artifact = read(envelope);
    return context
        .commands()
        .fenced(
            FencedWrite.SUBMIT_ARTIFACT,
            tenant,
            actor,
            write -> {
              try {
                return rules.submit(write, artifact);
              } catch (HarpException e) {
                throw RelayErrors.of(e, artifact.requestId());
              }
            });
  }

  /**
   * Submits an {@code artifact.submit} envelope of a caller's enforcer.
   *
   * @return the {@code artifact.accepted} envelope
   */
  public ByteString submitFor(Caller caller, ByteString envelope) {
    ExchangeRecord exchange = submit(caller.tenant(), caller.actor(), envelope);
    return envelopes.artifactAccepted(exchange, context.clock().millis());
  }

  /** Returns whether a caller acts as an approver. */
  public boolean actsAs(ReadTransaction tr, Caller caller, String approverId) {
    return parties.owns(tr, caller, PartyId.approver(approverId));
  }

  /**
   * Decides an exchange of another enforcer than the one beside this relay, for one of its
   * recipients whom the caller acts as.
   *
   * @return the {@code decision.accepted} envelope
   */
  public ByteString decideFor(Caller caller, Decision decision, Optional<GivenReason> reason) {
    String requestId = decision.subject().requestId();
    ExchangeRecord decided =
        context
            .commands()
            .fenced(
                FencedWrite.SUBMIT_DECISION,
                caller.tenant(),
                caller.actor(),
                write -> {
                  try {
                    return rules.decide(
                        write,
                        caller,
                        SubmittedDecision.whole(
                            decision, reason, recipient(write, caller, requestId)));
                  } catch (HarpException e) {
                    throw RelayErrors.of(e, requestId);
                  }
                });
    return envelopes.decisionAccepted(decided, context.clock().millis());
  }

  /** Counts a decision of an approver that comes without an exchange; {@code rate_limited}. */
  public void countDecision(Write write, String approverId, String requestId) {
    rules.countDecision(write, PartyId.approver(approverId), requestId);
  }

  private String recipient(Write write, Caller caller, String requestId) {
    ExchangeRecord exchange = rules.seen(write.tr(), caller, requestId);
    if (exchange.getEnforcerId().equals(ENFORCER)) {
      throw RelayErrors.noExchange(requestId); // It would have a request here.
    }
    return exchange.getRecipientsList().stream()
        .map(ExchangeRecipient::getApproverId)
        .filter(approver -> actsAs(write.tr(), caller, approver))
        .findFirst()
        .orElseThrow(() -> RelayErrors.noExchange(requestId));
  }

  /**
   * Returns the {@code decision.accepted} envelope of a decision that no exchange was needed for.
   */
  public ByteString decisionAccepted(Decision decision, String approverId) {
    return envelopes.decisionAccepted(
        decision.subject().requestId(),
        approverId,
        ExchangeState.DECIDED,
        decision.answer().alias(),
        context.clock().millis());
  }

  private static SubmittedArtifact read(ByteString envelope) {
    try {
      return SubmittedArtifact.of(envelope);
    } catch (HarpException e) {
      throw RelayErrors.of(e);
    }
  }

  /** Returns the {@code decision.deliver} envelope of a request; empty while there is none. */
  public Optional<ByteString> decision(String tenant, String requestId) {
    return context
        .store()
        .read(tr -> inboxes.decision(tr, tenant, requestId, context.clock().millis()))
        .filter(envelope -> !envelope.isEmpty());
  }

  /**
   * Takes a request back; does nothing if it has ended, or was never submitted.
   *
   * @param end how the question has ended, signed, for its device; empty if that is not known
   */
  public void withdraw(String tenant, String requestId, String reason, ByteString end) {
    var unused =
        context
            .commands()
            .fenced(
                FencedWrite.END_EXCHANGE,
                tenant,
                ACTOR,
                write -> {
                  rules.withdrawOwn(write, ENFORCER, requestId, reason, end);
                  return true;
                });
  }

  /** Acknowledges the decision of a request. */
  public void acknowledge(String tenant, String requestId) {
    var unused =
        context
            .commands()
            .fenced(
                FencedWrite.ACKNOWLEDGE_MESSAGE,
                tenant,
                ACTOR,
                write -> {
                  inboxes.processed(write, requestId);
                  return true;
                });
  }
}
