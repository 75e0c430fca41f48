package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import java.util.Optional;

/**
 * Serves {@code GET …/stream} with an upgrade: events and commands over a WebSocket (protocol
 * section "WebSocket").
 */
public final class SocketHandler implements RouteHandler {

  private final RequestBinder binder;
  private final Sockets sockets;

  /** Serves one route. */
  public SocketHandler(RequestBinder binder, Sockets sockets) {
    this.binder = binder;
    this.sockets = sockets;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Handshake.check(exchange.ctx(), exchange.request().headers());
    sockets.origins().check(exchange.request().headers());
    var request = binder.bind(exchange, Optional.empty()).build();
    return new Conversation(exchange, binder, sockets).start(request);
  }
}
