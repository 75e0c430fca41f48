package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.route.Route;
import java.util.List;

/**
 * One HTTP request that has found its route.
 *
 * @param ctx Armeria's context of the request
 * @param request the request
 * @param route the route
 * @param pathValues the values of the route's path variables, from left to right
 * @param requestId the request's name in answers and logs
 * @param query the query as the client sent it, empty where there is none
 * @param upgrade whether the client asks for a WebSocket
 */
public record Exchange(
    ServiceRequestContext ctx,
    HttpRequest request,
    Route route,
    List<String> pathValues,
    String requestId,
    String query,
    boolean upgrade) {

  /** The same with other headers. */
  public Exchange with(RequestHeaders headers) {
    return new Exchange(
        ctx, request.withHeaders(headers), route, pathValues, requestId, query, upgrade);
  }
}
