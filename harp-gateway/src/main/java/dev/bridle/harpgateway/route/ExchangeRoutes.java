package dev.bridle.harpgateway.route;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.TimeoutMode;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.DismissRequest;
import dev.bridle.relay.v1.DismissResponse;
import dev.bridle.relay.v1.GetExchangeRequest;
import dev.bridle.relay.v1.GetExchangeResponse;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.ListInboxResponse;
import dev.bridle.relay.v1.PartyRole;
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
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/**
 * The endpoints of envelopes: artifacts, decisions, acknowledgments, inboxes and exchanges (HARP
 * 0.2, "HTTP binding"). {@code GET /v1/enforcers/{id}/inbox} is an extension: decisions that wait
 * for an enforcer without a stream.
 */
public final class ExchangeRoutes {
  private static final Set<String> PAGE = Set.of("limit", "cursor");

  /** Longer than the core waits for a decision, so that its response comes first. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(75);

  private final HarpRoutes routes;
  private final CoreCalls core;
  private final Bodies bodies;

  private ExchangeRoutes(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    this.routes = routes;
    this.core = core;
    this.bodies = bodies;
  }

  /**
   * Adds the endpoints.
   *
   * @param core calls of which each ends soon
   * @param waits calls that wait for a decision
   */
  public static void addTo(HarpRoutes routes, CoreCalls core, CoreCalls waits, Bodies bodies) {
    ExchangeRoutes added = new ExchangeRoutes(routes, core, bodies);
    added.submits();
    added.inboxes();
    added.exchanges(waits);
  }

  private void submits() {
    post(
        "/v1/artifacts",
        RelayServiceGrpc.getSubmitArtifactMethod(),
        handler(
            HttpStatus.ACCEPTED,
            taking(body -> SubmitArtifactRequest.newBuilder().setEnvelope(body).build()),
            SubmitArtifactResponse::getEnvelope));
    post(
        "/v1/decisions",
        RelayServiceGrpc.getSubmitDecisionMethod(),
        handler(
            HttpStatus.OK,
            taking(body -> SubmitDecisionRequest.newBuilder().setEnvelope(body).build()),
            SubmitDecisionResponse::getEnvelope));
    post(
        "/v1/acks",
        RelayServiceGrpc.getSubmitAckMethod(),
        handler(
            HttpStatus.OK,
            taking(body -> SubmitAckRequest.newBuilder().setEnvelope(body).build()),
            SubmitAckResponse::getEnvelope));
  }

  private void inboxes() {
    inbox("/v1/approvers/{approver_id}/inbox", PartyRole.PARTY_ROLE_APPROVER, false);
    inbox("/v1/approvers/{approver_id}/inbox/expired", PartyRole.PARTY_ROLE_APPROVER, true);
    inbox("/v1/enforcers/{enforcer_id}/inbox", PartyRole.PARTY_ROLE_ENFORCER, false);
    routes.add(
        HttpMethod.DELETE,
        "/v1/approvers/{approver_id}/inbox/{request_id}",
        RelayServiceGrpc.getDismissMethod(),
        handler(
            HttpStatus.NO_CONTENT,
            (call, body) ->
                DismissRequest.newBuilder()
                    .setApproverId(call.takes(Set.of()).pathValues().get(0))
                    .setRequestId(call.pathValues().get(1))
                    .build(),
            (DismissResponse dismissed) -> ByteString.EMPTY));
  }

  private void inbox(String path, PartyRole role, boolean expired) {
    routes.add(
        HttpMethod.GET,
        path,
        RelayServiceGrpc.getListInboxMethod(),
        handler(
            HttpStatus.OK,
            (call, body) -> {
              ListInboxRequest.Builder ask =
                  ListInboxRequest.newBuilder()
                      .setRole(role)
                      .setPartyId(call.takes(PAGE).pathValues().get(0))
                      .setExpired(expired);
              call.number("limit").ifPresent(ask::setLimit);
              call.text("cursor").ifPresent(ask::setCursor);
              return ask.build();
            },
            ListInboxResponse::getEnvelope));
  }

  private void exchanges(CoreCalls waits) {
    routes.add(
        HttpMethod.GET,
        "/v1/exchanges/{request_id}",
        RelayServiceGrpc.getGetExchangeMethod(),
        handler(
            HttpStatus.OK,
            (call, body) ->
                GetExchangeRequest.newBuilder()
                    .setRequestId(call.takes(Set.of()).pathValues().get(0))
                    .build(),
            GetExchangeResponse::getEnvelope));
    UnaryHandler waiting =
        new UnaryHandler(
            waits,
            routes.responses(),
            HttpStatus.OK,
            HarpErrors.ENVELOPE,
            (call, body) -> {
              WaitDecisionRequest.Builder ask =
                  WaitDecisionRequest.newBuilder()
                      .setRequestId(call.takes(Set.of("timeout")).pathValues().get(0));
              call.number("timeout").ifPresent(ask::setTimeoutSeconds);
              return ask.build();
            },
            response -> ((WaitDecisionResponse) response).getEnvelope());
    routes.add(
        HttpMethod.GET,
        "/v1/exchanges/{request_id}/wait",
        RelayServiceGrpc.getWaitDecisionMethod(),
        call -> {
          call.ctx().setRequestTimeout(TimeoutMode.SET_FROM_START, LONGEST_WAIT);
          return waiting.serve(call);
        });
    post(
        "/v1/exchanges/{request_id}/withdraw",
        RelayServiceGrpc.getWithdrawMethod(),
        handler(
            HttpStatus.OK,
            (call, body) -> {
              String request = call.takes(Set.of()).pathValues().get(0);
              return WithdrawRequest.newBuilder()
                  .setRequestId(request)
                  .setReason(Withdrawal.reason(body, request))
                  .build();
            },
            WithdrawResponse::getEnvelope));
  }

  @SuppressWarnings("unchecked") // A route's handler gets responses of its route's method.
  private <B extends Message> UnaryHandler handler(
      HttpStatus status, UnaryHandler.Question question, Function<B, ByteString> reply) {
    return new UnaryHandler(
        core,
        routes.responses(),
        status,
        HarpErrors.ENVELOPE,
        question,
        response -> reply.apply((B) response));
  }

  /** Asks with a body alone, without parameters. */
  private static UnaryHandler.Question taking(Function<ByteString, Message> ask) {
    return (call, body) -> {
      var unused = call.takes(Set.of());
      return ask.apply(body);
    };
  }

  private void post(String path, MethodDescriptor<?, ?> method, UnaryHandler handler) {
    routes.add(HttpMethod.POST, path, method, handler.withBody(bodies, GatewayEnvelope.MAX_BYTES));
  }
}
