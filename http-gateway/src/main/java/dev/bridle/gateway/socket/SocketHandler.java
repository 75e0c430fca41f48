package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.Upgrade;
import java.util.Optional;

/**
 * Serves {@code GET …/stream} with an upgrade: events and commands over a WebSocket (protocol
 * section "WebSocket").
 */
public final class SocketHandler implements RouteHandler {

  private final RequestBinder binder;
  private final Sockets sockets;
  private final Bodies bodies;

  /** Creates a handler for one route. */
  public SocketHandler(RequestBinder binder, Sockets sockets, Bodies bodies) {
    this.binder = binder;
    this.sockets = sockets;
    this.bodies = bodies;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Upgrade.check(exchange.ctx(), exchange.request().headers());
    sockets.origins().check(exchange.request().headers());
    var request = binder.bind(exchange, Optional.empty()).message().build();
    return HttpResponse.of(
        bodies
            .admit(exchange)
            .thenApply(
                tenant ->
                    new Conversation(exchange, binder, sockets, bodies.messagesOf(tenant), tenant)
                        .start(request))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }
}
