package dev.bridle.harpgateway.socket;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.Upgrade;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Serves {@code GET /v1/ws?role=enforcer|approver&id=}: a channel of a party with envelopes both
 * ways (HARP 0.2, "HTTP binding"). An enforcer submits over it, so it claims the enforcer's id if
 * that is nobody's, as a submission does. The core bounds the number of channels.
 */
public final class RelaySocketHandler implements CallHandler<HarpCall> {
  private static final String ROLE = "role";
  private static final String ID = "id";
  private static final Map<String, PartyRole> ROLES =
      Map.of(
          "enforcer", PartyRole.PARTY_ROLE_ENFORCER,
          "approver", PartyRole.PARTY_ROLE_APPROVER);
  private static final String TRANSPORT = "websocket";

  private final RelaySockets sockets;

  /** Creates it. */
  public RelaySocketHandler(RelaySockets sockets) {
    this.sockets = sockets;
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    Upgrade.check(call.ctx(), call.request().headers());
    sockets.origins().check(call.request().headers());
    OpenRequest request = request(call.takes(Set.of(ROLE, ID)));
    return HttpResponse.of(
        sockets
            .bodies()
            .admit(call)
            .thenApply(tenant -> new RelayConversation(call, request, sockets, tenant).start())
            .exceptionally(failure -> Failures.response(call, failure)));
  }

  private static OpenRequest request(HarpCall call) {
    PartyRole role =
        call.text(ROLE)
            .flatMap(given -> Optional.ofNullable(ROLES.get(given)))
            .orElseThrow(() -> invalid(ROLE, "The role must be enforcer or approver."));
    String id =
        call.text(ID)
            .filter(given -> !given.isEmpty())
            .orElseThrow(() -> invalid(ID, "The parameter is missing; expected the party's id."));
    return OpenRequest.newBuilder()
        .setRole(role)
        .setPartyId(id)
        .setTransport(TRANSPORT)
        .setClaim(true)
        .build();
  }

  private static ProtocolException invalid(String parameter, String message) {
    return new ProtocolException(ProtocolError.invalid(parameter, message));
  }
}
