package dev.bridle.gateway.stream;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.ResponsePump;
import dev.bridle.gateway.kit.stream.SseFrames;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.json.JsonWriter;
import java.util.Optional;

/**
 * Serves {@code GET …/stream}: events as server-sent events (protocol section "Server-sent
 * events").
 */
public final class EventStreamHandler implements RouteHandler {

  private final RequestBinder binder;
  private final CoreCalls core;
  private final EncodedEvents<HttpData> frames;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final Bodies bodies;

  /**
   * Creates a handler for one route.
   *
   * @param bodies returns the tenants of callers
   */
  public EventStreamHandler(
      RequestBinder binder,
      CoreCalls core,
      EncodedEvents<HttpData> frames,
      StreamSettings settings,
      OpenStreams streams,
      Bodies bodies) {
    this.binder = binder;
    this.core = core;
    this.frames = frames;
    this.settings = settings;
    this.streams = streams;
    this.bodies = bodies;
  }

  /** Returns the frames of events, which the handlers of all routes share. */
  public static EncodedEvents<HttpData> frames(JsonWriter json) {
    return EventStreamContent.frames(json);
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    HeaderChecks.accepts(exchange.request().headers(), SseFrames.TYPE);
    var request = binder.bind(exchange, Optional.empty()).message().build();
    var content =
        new EventStreamContent(
            frames, exchange.requestId(), exchange.request().headers().get("last-event-id", ""));
    var pump = new ResponsePump(exchange, core, content, settings, streams);
    return HttpResponse.of(
        bodies
            .holder(exchange)
            .thenApply(holder -> pump.bound(streams.unsent(), holder).start(request))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }
}
