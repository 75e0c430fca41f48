package dev.bridle.harpgateway.stream;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.ResponsePump;
import dev.bridle.gateway.kit.stream.SseFrames;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayServiceGrpc;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Serves {@code GET /v1/sse/approvers/{id}} and {@code GET /v1/sse/enforcers/{id}}: a channel of a
 * party as server-sent events (HARP 0.2, "HTTP binding"). A new channel begins with everything that
 * is not acknowledged, so {@code Last-Event-ID} is not needed. Reading a stream claims no id. The
 * core bounds the number of channels.
 */
public final class ChannelStreamHandler implements CallHandler<HarpCall> {
  private static final String TRANSPORT = "sse";

  private final PartyRole role;
  private final CoreCalls core;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final Bodies bodies;
  private final UnsentBytes unsent;

  /**
   * Creates a handler for the parties of a role.
   *
   * @param bodies returns the tenants of callers
   * @param unsent the bytes that wait for clients
   */
  public ChannelStreamHandler(
      PartyRole role,
      CoreCalls core,
      Bodies bodies,
      StreamSettings settings,
      OpenStreams streams,
      UnsentBytes unsent) {
    this.role = role;
    this.core = core;
    this.bodies = bodies;
    this.settings = settings;
    this.streams = streams;
    this.unsent = unsent;
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    HeaderChecks.accepts(call.request().headers(), SseFrames.TYPE);
    String party = call.takes(Set.of()).pathValues().get(0);
    if (call.request().method() == HttpMethod.HEAD) {
      return head(call, party);
    }
    OpenRequest request =
        OpenRequest.newBuilder().setRole(role).setPartyId(party).setTransport(TRANSPORT).build();
    var content = new ChannelStreamContent(call.requestId());
    ResponsePump pump = new ResponsePump(call, core, content, settings, streams);
    return HttpResponse.of(
        bodies
            .admit(call)
            .thenApply(tenant -> pump.bound(unsent, tenant).start(request))
            .exceptionally(failure -> Failures.response(call, failure)));
  }

  /** Asks whether there is such a stream: one that is open takes over from those before it. */
  private HttpResponse head(HarpCall call, String party) {
    CompletableFuture<HttpResponse> answer =
        core.unary(
                RelayServiceGrpc.getListInboxMethod(),
                ListInboxRequest.newBuilder().setRole(role).setPartyId(party).setLimit(1).build(),
                CoreCalls.metadata(call),
                call.requestId())
            .thenApply(inbox -> HttpResponse.of(SseFrames.HEADERS));
    return HttpResponse.of(answer.exceptionally(failure -> Failures.response(call, failure)));
  }
}
