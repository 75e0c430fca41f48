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
 * Tells requests for a WebSocket from all others, and hands both to the transcoder. It stands
 * around Armeria's service for WebSockets, so that Armeria lets such requests through.
 */
public final class SocketDoor extends SimpleDecoratingHttpService {

  private final Transcoder transcoder;

  private SocketDoor(HttpService sockets, Transcoder transcoder) {
    super(sockets);
    this.transcoder = transcoder;
  }

  /** A door before a transcoder, for WebSockets with these frames. */
  public static SocketDoor before(Transcoder transcoder, FrameCodec codec) {
    WebSocketService sockets = codec.service();
    return new SocketDoor(sockets, transcoder);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return Handshake.isAsked(ctx.sessionProtocol(), request.headers())
        ? transcoder.upgrade(ctx, request.withHeaders(Handshake.plain(request.headers())))
        : transcoder.serve(ctx, request);
  }

  /** Those of other requests: what a WebSocket needs is set once it is one. */
  @Override
  public ServiceOptions options() {
    return ServiceOptions.of();
  }
}
