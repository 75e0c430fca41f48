package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;

/**
 * A request as it arrived.
 *
 * @param ctx Armeria's context of the request
 * @param request the request; that of an upgrade has the headers of a plain request
 * @param requestId the request's id in responses and logs
 * @param query the raw query, empty if there is none
 * @param upgrade whether the client asks for a WebSocket
 */
public record Arrival(
    ServiceRequestContext ctx,
    HttpRequest request,
    String requestId,
    String query,
    boolean upgrade) {}
