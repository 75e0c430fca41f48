package dev.bridle.harpgateway.stream;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.ResponsePump;
import dev.bridle.gateway.kit.stream.SseFrames;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import java.util.Set;

/**
 * Serves {@code GET /v1/sse/approvers/{id}} and {@code GET /v1/sse/enforcers/{id}}: a channel of a
 * party as server-sent events (HARP 0.2, "HTTP binding"). A new channel begins with everything that
 * is not acknowledged, so {@code Last-Event-ID} is not needed. The core bounds the number of
 * channels.
 */
public final class ChannelStreamHandler implements CallHandler<HarpCall> {
  private static final String TRANSPORT = "sse";

  private final PartyRole role;
  private final CoreCalls core;
  private final StreamSettings settings;
  private final OpenStreams streams;

  /** Creates a handler for the parties of a role. */
  public ChannelStreamHandler(
      PartyRole role, CoreCalls core, StreamSettings settings, OpenStreams streams) {
    this.role = role;
    this.core = core;
    this.settings = settings;
    this.streams = streams;
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    HeaderChecks.accepts(call.request().headers(), SseFrames.TYPE);
    OpenRequest request =
        OpenRequest.newBuilder()
            .setRole(role)
            .setPartyId(call.takes(Set.of()).pathValues().get(0))
            .setTransport(TRANSPORT)
            .build();
    var content = new ChannelStreamContent(call.requestId());
    return new ResponsePump(call, core, content, settings, streams).start(request);
  }
}
