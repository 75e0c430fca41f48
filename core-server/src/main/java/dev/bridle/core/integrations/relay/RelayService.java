package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.harp.error.HarpException;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayMessageRecord;
import dev.bridle.relay.v1.DismissRequest;
import dev.bridle.relay.v1.DismissResponse;
import dev.bridle.relay.v1.GetExchangeRequest;
import dev.bridle.relay.v1.GetExchangeResponse;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.ListInboxResponse;
import dev.bridle.relay.v1.RelayServiceGrpc;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitAckResponse;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitArtifactResponse;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.SubmitDecisionResponse;
import dev.bridle.relay.v1.WaitDecisionRequest;
import dev.bridle.relay.v1.WaitDecisionResponse;
import dev.bridle.relay.v1.WithdrawRequest;
import dev.bridle.relay.v1.WithdrawResponse;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Relays artifacts to approvers and decisions to enforcers. */
final class RelayService extends RelayServiceGrpc.RelayServiceImplBase {
  private static final int DEFAULT_WAIT_SECONDS = 30;

  private final KeyValueStore store;
  private final Commands commands;
  private final Clock clock;
  private final ExchangeRules rules;
  private final Inboxes inboxes;
  private final DecisionWaits waits;
  private final Envelopes envelopes;
  private final LocalRelay local;

  RelayService(
      CoreContext context,
      ExchangeRules rules,
      Inboxes inboxes,
      DecisionWaits waits,
      Envelopes envelopes,
      LocalRelay local) {
    this.store = context.store();
    this.commands = context.commands();
    this.clock = context.clock();
    this.rules = rules;
    this.inboxes = inboxes;
    this.waits = waits;
    this.envelopes = envelopes;
    this.local = local;
  }

  /** Work on what a party has sent, which HARP may refuse. */
  private interface Work<R> {
    R apply(Write write) throws HarpException;
  }

  @Override
  public void submitArtifact(
      SubmitArtifactRequest request, StreamObserver<SubmitArtifactResponse> response) {
    SubmittedArtifact artifact = read(request.getEnvelope(), SubmittedArtifact::of);
    ExchangeRecord exchange =
        write(
            FencedWrite.SUBMIT_ARTIFACT,
            artifact.requestId(),
            write -> rules.submit(write, artifact));
    Replies.send(
        response,
        SubmitArtifactResponse.newBuilder()
            .setEnvelope(envelopes.artifactAccepted(exchange, clock.millis()))
            .build());
  }

  @Override
  public void submitDecision(
      SubmitDecisionRequest request, StreamObserver<SubmitDecisionResponse> response) {
    Caller caller = Caller.current();
    SubmittedDecision decision = read(request.getEnvelope(), SubmittedDecision::of);
    ExchangeRecord exchange =
        write(
            FencedWrite.SUBMIT_DECISION,
            decision.requestId(),
            write -> rules.decide(write, caller, decision));
    local.heard(caller.tenant(), exchange);
    Replies.send(
        response,
        SubmitDecisionResponse.newBuilder()
            .setEnvelope(envelopes.decisionAccepted(exchange, clock.millis()))
            .build());
  }

  @Override
  public void submitAck(SubmitAckRequest request, StreamObserver<SubmitAckResponse> response) {
    Caller caller = Caller.current();
    SubmittedAck ack = read(request.getEnvelope(), SubmittedAck::of);
    RelayMessageRecord message =
        write(
            FencedWrite.ACKNOWLEDGE_MESSAGE,
            ack.requestId(),
            write -> inboxes.acknowledge(write, caller, ack));
    Replies.send(
        response,
        SubmitAckResponse.newBuilder()
            .setEnvelope(envelopes.ackAccepted(message, clock.millis()))
            .build());
  }

  @Override
  public void listInbox(ListInboxRequest request, StreamObserver<ListInboxResponse> response) {
    Caller caller = Caller.current();
    long now = clock.millis();
    ByteString envelope =
        store.read(
            tr -> {
              InboxPages.Page page = inboxes.page(tr, caller, request, now);
              return envelopes.inboxPage(page, inboxes.notices(tr, caller, request), now);
            });
    Replies.send(response, ListInboxResponse.newBuilder().setEnvelope(envelope).build());
  }

  @Override
  public void dismiss(DismissRequest request, StreamObserver<DismissResponse> response) {
    Caller caller = Caller.current();
    PartyId approver = PartyId.approver(request.getApproverId());
    var unused =
        write(
            FencedWrite.DISMISS_REQUEST,
            request.getRequestId(),
            write -> rules.dismiss(write, caller, approver, request.getRequestId()));
    Replies.send(response, DismissResponse.getDefaultInstance());
  }

  @Override
  public void getExchange(
      GetExchangeRequest request, StreamObserver<GetExchangeResponse> response) {
    Caller caller = Caller.current();
    ExchangeRecord exchange = store.read(tr -> rules.seen(tr, caller, request.getRequestId()));
    Replies.send(
        response,
        GetExchangeResponse.newBuilder()
            .setEnvelope(envelopes.status(exchange, clock.millis()))
            .build());
  }

  @Override
  public void waitDecision(
      WaitDecisionRequest request, StreamObserver<WaitDecisionResponse> response) {
    Caller caller = Caller.current();
    String requestId = request.getRequestId();
    AtomicReference<String> owner = new AtomicReference<>("");
    Optional<ByteString> answer =
        store.read(
            tr -> {
              ExchangeRecord exchange = rules.owned(tr, caller, requestId);
              owner.set(PartyId.enforcer(exchange.getEnforcerId()).key());
              return inboxes.decision(tr, caller.tenant(), requestId, clock.millis());
            });
    if (answer.isPresent()) {
      Replies.send(response, decision(answer.get()));
      return;
    }
    Duration time =
        Duration.ofSeconds(
            request.hasTimeoutSeconds() ? request.getTimeoutSeconds() : DEFAULT_WAIT_SECONDS);
    AtomicReference<Optional<DecisionWaits.Wait>> waiting = new AtomicReference<>(Optional.empty());
    ServerCallStreamObserver<WaitDecisionResponse> call =
        (ServerCallStreamObserver<WaitDecisionResponse>) response;
    call.setOnCancelHandler(() -> waiting.get().ifPresent(waits::remove));
    waiting.set(
        Optional.of(
            waits.add(
                caller.tenant(),
                owner.get(),
                requestId,
                time,
                envelope -> Replies.send(response, decision(envelope)))));
  }

  private static WaitDecisionResponse decision(ByteString envelope) {
    return WaitDecisionResponse.newBuilder().setEnvelope(envelope).build();
  }

  @Override
  public void withdraw(WithdrawRequest request, StreamObserver<WithdrawResponse> response) {
    Caller caller = Caller.current();
    ExchangeRecord exchange =
        write(
            FencedWrite.END_EXCHANGE,
            request.getRequestId(),
            write -> rules.withdraw(write, caller, request.getRequestId(), request.getReason()));
    Replies.send(
        response,
        WithdrawResponse.newBuilder()
            .setEnvelope(envelopes.withdrawn(exchange, clock.millis()))
            .build());
  }

  /** Parses what a party has sent. */
  private interface Parser<T> {
    T parse(ByteString bytes) throws HarpException;
  }

  private static <T> T read(ByteString bytes, Parser<T> parser) {
    try {
      return parser.parse(bytes);
    } catch (HarpException e) {
      throw RelayErrors.of(e);
    }
  }

  private <R> R write(FencedWrite which, String requestId, Work<R> work) {
    Caller caller = Caller.current();
    return commands.fenced(
        which,
        caller.tenant(),
        caller.actor(),
        write -> {
          try {
            return work.apply(write);
          } catch (HarpException e) {
            throw RelayErrors.of(e, requestId);
          }
        });
  }
}
