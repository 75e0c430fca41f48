package dev.bridle.gateway.call;

import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.api.v1.Delivery;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.route.Admission;
import dev.bridle.gateway.kit.route.Arrival;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteTable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * Checks requests in the order of the error statuses (after 404 and 405: 426, 401; then 413, 415
 * and 400, which the handlers check). A WebSocket is a delivery of its route.
 */
public final class HarnAdmission implements Admission<Route, Exchange> {

  private final IdentityHashMap<Route, RouteHandler> handlers = new IdentityHashMap<>();

  /** Admits requests of these routes, with one handler per route. */
  public HarnAdmission(RouteTable routes, Function<Route, RouteHandler> handlers) {
    for (Route route : routes.routes()) {
      this.handlers.put(route, handlers.apply(route));
    }
  }

  @Override
  public RequestHeaders plain(RequestHeaders handshake) {
    return Handshake.plain(handshake);
  }

  @Override
  public Exchange admit(Arrival arrival, Route route, List<String> values) {
    if (!route.target().open()) {
      ProtocolVersions.check(arrival.request().headers());
      HeaderChecks.credentials(arrival.request().headers());
    }
    HeaderChecks.noConditions(arrival.request().headers());
    return new Exchange(
        arrival.ctx(),
        arrival.request(),
        route,
        values,
        arrival.requestId(),
        arrival.query(),
        arrival.upgrade());
  }

  @Override
  public CallHandler<Exchange> handler(Exchange exchange) {
    if (exchange.upgrade()
        && exchange.route().rule().getDelivery() != Delivery.DELIVERY_EVENT_STREAM) {
      throw new ProtocolException(
          ProtocolError.invalid("Upgrade", "This path does not support WebSockets."));
    }
    return handlers.get(exchange.route());
  }
}
