package dev.bridle.harpgateway.route;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harp.core.CoreEnvelope;
import dev.bridle.harp.core.Decision;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.EnforcerKeys;
import dev.bridle.relay.v1.EnforcerServiceGrpc;
import dev.bridle.relay.v1.GetEnforcerKeysRequest;
import dev.bridle.relay.v1.SubmitCoreArtifactRequest;
import dev.bridle.relay.v1.SubmitCoreArtifactResponse;
import dev.bridle.relay.v1.SubmitCoreDecisionRequest;
import dev.bridle.relay.v1.SubmitCoreDecisionResponse;
import java.util.Set;
import java.util.function.Function;

/**
 * The generic endpoints of core objects, in the trust of the server as an enforcer (HARP 0.2, "HTTP
 * binding"). {@code enforcerId} and {@code approverId} are parameters for artifacts without an
 * envelope, as an extension. The {@code Idempotency-Key} of an artifact is not needed: its request
 * and hash identify it. {@code GET /v1/enforcers/{id}/keys} is an extension: the keys of that
 * enforcer, and how they follow each other.
 */
public final class CoreRoutes {
  private static final Set<String> PARTIES = Set.of("enforcerId", "approverId");

  /** A decision, and the envelope around it. */
  private static final long MAX_DECISION_BYTES = 2L * Decision.MAX_BYTES;

  private CoreRoutes() {}

  /** Adds the endpoints. */
  public static void addTo(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    routes.add(
        HttpMethod.POST,
        "/v1/artifact",
        EnforcerServiceGrpc.getSubmitCoreArtifactMethod(),
        handler(
                core,
                routes.responses(),
                HttpStatus.ACCEPTED,
                (call, body) -> {
                  SubmitCoreArtifactRequest.Builder ask =
                      SubmitCoreArtifactRequest.newBuilder().setDocument(body);
                  call.takes(PARTIES).text("enforcerId").ifPresent(ask::setEnforcerId);
                  call.text("approverId").ifPresent(ask::setApproverId);
                  return ask.build();
                },
                SubmitCoreArtifactResponse::getEnvelope)
            .withBody(bodies, CoreEnvelope.MAX_BYTES));
    routes.add(
        HttpMethod.POST,
        "/v1/decision",
        EnforcerServiceGrpc.getSubmitCoreDecisionMethod(),
        handler(
                core,
                routes.responses(),
                HttpStatus.OK,
                (call, body) -> {
                  var unused = call.takes(Set.of());
                  return SubmitCoreDecisionRequest.newBuilder().setDocument(body).build();
                },
                SubmitCoreDecisionResponse::getEnvelope)
            .withBody(bodies, MAX_DECISION_BYTES));
    routes.add(
        HttpMethod.GET,
        "/v1/enforcers/{enforcer_id}/keys",
        EnforcerServiceGrpc.getGetEnforcerKeysMethod(),
        new UnaryHandler(
            core,
            routes.responses(),
            HttpStatus.OK,
            MediaType.JSON,
            (call, body) ->
                GetEnforcerKeysRequest.newBuilder()
                    .setEnforcerId(call.takes(Set.of()).pathValues().get(0))
                    .build(),
            response -> ((EnforcerKeys) response).getDocument()));
  }

  @SuppressWarnings("unchecked") // A route's handler gets responses of its route's method.
  private static <B extends Message> UnaryHandler handler(
      CoreCalls core,
      WholeResponses responses,
      HttpStatus status,
      UnaryHandler.Question question,
      Function<B, ByteString> reply) {
    return new UnaryHandler(
        core,
        responses,
        status,
        HarpErrors.ENVELOPE,
        question,
        response -> reply.apply((B) response));
  }
}
