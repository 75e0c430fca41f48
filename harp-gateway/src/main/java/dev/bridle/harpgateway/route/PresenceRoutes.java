package dev.bridle.harpgateway.route;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.document.PresenceDocument;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.ListPresenceRequest;
import dev.bridle.relay.v1.ListPresenceResponse;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.RequestRefreshRequest;
import java.util.Set;

/**
 * The endpoints about enforcers that are there: presence, and requests to submit something anew
 * (HARP 0.2, "HTTP binding").
 */
public final class PresenceRoutes {
  private static final String TENANT = "tenantId";
  private static final String ENFORCER = "enforcerDeviceId";
  private static final ByteString FORWARDED = ByteString.copyFromUtf8("{\"status\":\"forwarded\"}");

  private PresenceRoutes() {}

  /** Adds the endpoints. */
  public static void addTo(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    routes.add(
        HttpMethod.GET,
        "/v1/presence/enforcers",
        RelayChannelServiceGrpc.getListPresenceMethod(),
        ofOwnTenant(
            bodies,
            handler(
                core,
                routes.responses(),
                (call, body) -> ListPresenceRequest.getDefaultInstance(),
                response -> PresenceDocument.list((ListPresenceResponse) response))));
    routes.add(
        HttpMethod.GET,
        "/v1/presence/enforcers/{enforcer_device_id}",
        RelayChannelServiceGrpc.getGetPresenceMethod(),
        handler(
            core,
            routes.responses(),
            (call, body) ->
                GetPresenceRequest.newBuilder()
                    .setEnforcerDeviceId(call.takes(Set.of()).pathValues().get(0))
                    .build(),
            response -> PresenceDocument.record((Presence) response)));
    routes.addBodilessPost(
        "/v1/requests/{request_id}/refresh",
        RelayChannelServiceGrpc.getRequestRefreshMethod(),
        handler(
            core,
            routes.responses(),
            (call, body) ->
                RequestRefreshRequest.newBuilder()
                    .setRequestId(call.takes(Set.of(ENFORCER)).pathValues().get(0))
                    .setEnforcerDeviceId(required(call, ENFORCER))
                    .build(),
            response -> FORWARDED));
  }

  /** The tenant is that of the credentials; another one is nobody's. */
  private static CallHandler<HarpCall> ofOwnTenant(Bodies bodies, UnaryHandler listing) {
    return call -> {
      String asked = required(call.takes(Set.of(TENANT)), TENANT);
      return HttpResponse.of(
          bodies
              .admit(call)
              .thenApply(
                  tenant -> {
                    if (!asked.equals(tenant)) {
                      throw new ProtocolException(
                          ProtocolError.of(
                              ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no such tenant."));
                    }
                    return listing.serve(call);
                  })
              .exceptionally(failure -> Failures.response(call, failure)));
    };
  }

  private static UnaryHandler handler(
      CoreCalls core,
      WholeResponses responses,
      UnaryHandler.Question question,
      UnaryHandler.Reply reply) {
    return new UnaryHandler(core, responses, HttpStatus.OK, MediaType.JSON, question, reply);
  }

  private static String required(HarpCall call, String parameter) {
    return call.text(parameter)
        .filter(given -> !given.isEmpty())
        .orElseThrow(
            () ->
                new ProtocolException(
                    ProtocolError.invalid(parameter, "The parameter is missing.")));
  }
}
