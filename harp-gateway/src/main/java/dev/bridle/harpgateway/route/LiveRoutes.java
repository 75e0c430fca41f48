package dev.bridle.harpgateway.route;

import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import dev.bridle.harpgateway.socket.RelaySocketHandler;
import dev.bridle.harpgateway.socket.RelaySockets;
import dev.bridle.harpgateway.stream.ChannelStreamHandler;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;

/** The endpoints of live channels (HARP 0.2, "HTTP binding"). */
public final class LiveRoutes {
  private LiveRoutes() {}

  /** Adds the streams of server-sent events. */
  public static void addStreams(
      HarpRoutes routes,
      CoreCalls core,
      Bodies bodies,
      StreamSettings settings,
      OpenStreams streams,
      UnsentBytes unsent) {
    routes.add(
        HttpMethod.GET,
        "/v1/sse/approvers/{approver_id}",
        RelayChannelServiceGrpc.getOpenMethod(),
        new ChannelStreamHandler(
            PartyRole.PARTY_ROLE_APPROVER, core, bodies, settings, streams, unsent));
    routes.add(
        HttpMethod.GET,
        "/v1/sse/enforcers/{enforcer_id}",
        RelayChannelServiceGrpc.getOpenMethod(),
        new ChannelStreamHandler(
            PartyRole.PARTY_ROLE_ENFORCER, core, bodies, settings, streams, unsent));
  }

  /** Adds the WebSocket. */
  public static void addSocket(HarpRoutes routes, RelaySockets sockets) {
    routes.addSocket(
        "/v1/ws", RelayChannelServiceGrpc.getOpenMethod(), new RelaySocketHandler(sockets));
  }
}
