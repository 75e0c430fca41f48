package dev.bridle.harpgateway.route;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.GetLayerSessionRequest;
import dev.bridle.relay.v1.GetLayerSessionResponse;
import dev.bridle.relay.v1.LayerSessionServiceGrpc;
import dev.bridle.relay.v1.PostSessionEventRequest;
import dev.bridle.relay.v1.PostSessionEventResponse;
import java.util.Set;

/** The endpoints of sessions (HARP-SESSION). */
public final class SessionRoutes {
  private static final Set<String> PAGE = Set.of("limit", "cursor");

  private SessionRoutes() {}

  /** Adds the endpoints. */
  public static void addTo(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    routes.addCommand(
        HttpMethod.POST,
        "/v1/session/event",
        LayerSessionServiceGrpc.getPostSessionEventMethod(),
        new UnaryHandler(
                core,
                routes.responses(),
                HttpStatus.OK,
                HarpErrors.ENVELOPE,
                (call, body) -> {
                  var unused = call.takes(Set.of());
                  return PostSessionEventRequest.newBuilder().setDocument(body).build();
                },
                response -> ((PostSessionEventResponse) response).getDocument())
            .withBody(bodies, SessionEvent.MAX_BYTES));
    routes.add(
        HttpMethod.GET,
        "/v1/session/{session_id}",
        LayerSessionServiceGrpc.getGetLayerSessionMethod(),
        new UnaryHandler(
            core,
            routes.responses(),
            HttpStatus.OK,
            MediaType.JSON,
            (call, body) -> {
              GetLayerSessionRequest.Builder ask =
                  GetLayerSessionRequest.newBuilder()
                      .setSessionId(call.takes(PAGE).pathValues().get(0));
              call.number("limit").ifPresent(ask::setLimit);
              call.text("cursor").ifPresent(ask::setCursor);
              return ask.build();
            },
            response -> ((GetLayerSessionResponse) response).getDocument()));
  }
}
