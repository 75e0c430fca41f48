package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpResponse;

/**
 * Serves the requests of one route after they have passed the {@link HeaderChecks}. Runs on an
 * event loop and must not block.
 */
public interface RouteHandler {

  /**
   * Serves a request.
   *
   * @throws dev.bridle.gateway.error.ProtocolException if the request is rejected before it reaches
   *     the core
   */
  HttpResponse serve(Exchange exchange);
}
