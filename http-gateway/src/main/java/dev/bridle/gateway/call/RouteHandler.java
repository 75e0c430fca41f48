package dev.bridle.gateway.call;

import dev.bridle.gateway.kit.route.CallHandler;

/** Serves the requests of one route after their {@link HarnAdmission}. */
public interface RouteHandler extends CallHandler<Exchange> {}
