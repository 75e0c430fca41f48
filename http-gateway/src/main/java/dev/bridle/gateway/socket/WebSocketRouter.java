package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.bridle.gateway.call.Transcoder;

/**
 * Routes WebSocket upgrades and all other requests to the transcoder. Decorates Armeria's WebSocket
 * service, so that Armeria accepts upgrades.
 */
public final class WebSocketRouter extends SimpleDecoratingHttpService {

  private final Transcoder transcoder;

  private WebSocketRouter(HttpService sockets, Transcoder transcoder) {
    super(sockets);
    this.transcoder = transcoder;
  }

  /** Returns a router in front of a transcoder, for WebSockets with this codec. */
  public static WebSocketRouter before(Transcoder transcoder, FrameCodec codec) {
    WebSocketService sockets = codec.service();
    return new WebSocketRouter(sockets, transcoder);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return Handshake.isAsked(ctx.sessionProtocol(), request.headers())
        ? transcoder.upgrade(ctx, request.withHeaders(Handshake.plain(request.headers())))
        : transcoder.serve(ctx, request);
  }

  /** Returns the options of plain requests; those of WebSockets are set after the upgrade. */
  @Override
  public ServiceOptions options() {
    return ServiceOptions.of();
  }
}
