package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpResponse;

/**
 * Serves the requests of one route, once they have passed the {@link Gates}. Runs on an event loop
 * and must not block.
 */
public interface RouteHandler {

  /**
   * Serves a request.
   *
   * @throws dev.bridle.gateway.error.ProtocolException where the request is refused before it
   *     reached the core
   */
  HttpResponse serve(Exchange exchange);
}
