package dev.bridle.gateway.stream;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Binding;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.CoreCalls;
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

  /** Creates a handler for one route. */
  public DownloadHandler(
      RequestBinder binder, CoreCalls core, StreamSettings settings, OpenStreams streams) {
    this.binder = binder;
    this.core = core;
    this.settings = settings;
    this.streams = streams;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Binding bound = binder.bind(exchange, Optional.empty());
    bound.announce(exchange.ctx());
    return new ResponsePump(exchange, core, new DownloadContent(), settings, streams)
        .start(bound.message().build());
  }
}
