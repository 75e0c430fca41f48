package dev.bridle.gateway.stream;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.CoreCalls;
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

  /** Creates a handler for one route. */
  public EventStreamHandler(
      RequestBinder binder,
      CoreCalls core,
      EncodedEvents<HttpData> frames,
      StreamSettings settings,
      OpenStreams streams) {
    this.binder = binder;
    this.core = core;
    this.frames = frames;
    this.settings = settings;
    this.streams = streams;
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
    return new ResponsePump(exchange, core, content, settings, streams).start(request);
  }
}
