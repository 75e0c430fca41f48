package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.route.Route;
import java.util.List;

/**
 * One HTTP request with its route.
 *
 * @param ctx Armeria's context of the request
 * @param request the request
 * @param route the route
 * @param pathValues the values of the route's path variables, from left to right
 * @param requestId the request's id in responses and logs
 * @param query the raw query, empty if there is none
 * @param upgrade whether the client asks for a WebSocket
 */
public record Exchange(
    ServiceRequestContext ctx,
    HttpRequest request,
    Route route,
    List<String> pathValues,
    String requestId,
    String query,
    boolean upgrade)
    implements Call {

  @Override
  public Target target() {
    return route.target();
  }

  @Override
  public ErrorFormat errors() {
    return ErrorEnvelope.FORMAT;
  }

  /** Returns a copy with other headers. */
  public Exchange with(RequestHeaders headers) {
    return new Exchange(
        ctx, request.withHeaders(headers), route, pathValues, requestId, query, upgrade);
  }
}
