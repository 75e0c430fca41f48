package dev.bridle.harpgateway.call;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.gateway.kit.call.AccessLog;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.call.Upgrade;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.route.Admission;
import dev.bridle.gateway.kit.route.Arrival;
import dev.bridle.gateway.kit.route.CallHandler;
import java.util.List;

/**
 * Requires credentials where an endpoint is not open; the core checks them. Keeps paths out of the
 * log, since they hold codes and nonces of pairings.
 */
public final class HarpAdmission implements Admission<HarpRoute, HarpCall> {
  /** Creates it. */
  public HarpAdmission() {}

  @Override
  public RequestHeaders plain(RequestHeaders handshake) {
    return Upgrade.plain(handshake).build();
  }

  @Override
  public HarpCall admit(Arrival arrival, HarpRoute route, List<String> values) {
    AccessLog.hidePath(arrival.ctx(), route.target());
    if (arrival.upgrade() != route.socket()) {
      throw new ProtocolException(
          ProtocolError.invalid(
              "Upgrade",
              route.socket()
                  ? "This path is a WebSocket: send its handshake."
                  : "This path does not support WebSockets."));
    }
    if (!route.target().open()) {
      HeaderChecks.credentials(arrival.request().headers());
    }
    HeaderChecks.noConditions(arrival.request().headers());
    return new HarpCall(
        arrival.ctx(),
        arrival.request(),
        route,
        values,
        arrival.requestId(),
        QueryParams.fromQueryString(arrival.query()));
  }

  @Override
  public CallHandler<HarpCall> handler(HarpCall call) {
    return call.route().handler();
  }
}
