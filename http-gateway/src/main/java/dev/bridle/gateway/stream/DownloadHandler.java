package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Binding;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.ResponsePump;
import dev.bridle.gateway.kit.stream.StreamSettings;
import java.util.Optional;

/** Serves {@code GET …/content}: bytes (protocol section "Message, part, and artifact"). */
public final class DownloadHandler implements RouteHandler {

  private final RequestBinder binder;
  private final CoreCalls core;
  private final StreamSettings settings;
  private final OpenStreams streams;
  private final Bodies bodies;

  /**
   * Creates a handler for one route.
   *
   * @param bodies returns the tenants of callers
   */
  public DownloadHandler(
      RequestBinder binder,
      CoreCalls core,
      StreamSettings settings,
      OpenStreams streams,
      Bodies bodies) {
    this.binder = binder;
    this.core = core;
    this.settings = settings;
    this.streams = streams;
    this.bodies = bodies;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Binding bound = binder.bind(exchange, Optional.empty());
    bound.announce(exchange.ctx());
    Message request = bound.message().build();
    var pump = new ResponsePump(exchange, core, new DownloadContent(), settings, streams);
    return HttpResponse.of(
        bodies
            .holder(exchange)
            .thenApply(holder -> pump.bound(streams.unsent(), holder).start(request))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }
}
