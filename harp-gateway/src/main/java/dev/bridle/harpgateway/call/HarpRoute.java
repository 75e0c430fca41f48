package dev.bridle.harpgateway.call;

import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.route.CallHandler;

/**
 * One endpoint.
 *
 * @param target the method of the core that serves it
 * @param socket whether it is a WebSocket
 * @param handler serves its calls
 */
public record HarpRoute(Target target, boolean socket, CallHandler<HarpCall> handler) {}
