package dev.bridle.gateway.call;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.SplitHttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.bridle.api.v1.Delivery;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.error.ErrorAnswers;
import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteMatch;
import dev.bridle.gateway.route.RouteTable;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves every request: finds its route, checks it in the order of the error statuses (404 and 405,
 * 426, 401; then 413, 415 and 400, which the handlers check), and passes it to its route's handler.
 * A WebSocket is a delivery of its route: its handshake is converted to the headers of a plain
 * request first. Decorates Armeria's WebSocket service, so that Armeria accepts upgrades.
 */
public final class Transcoder extends SimpleDecoratingHttpService {

  private static final Logger log = LoggerFactory.getLogger(Transcoder.class);

  private final RouteTable routes;
  private final CoreCalls core;
  private final IdentityHashMap<Route, RouteHandler> handlers = new IdentityHashMap<>();

  /**
   * Creates a transcoder for these routes, with one handler per route.
   *
   * @param sockets Armeria's WebSocket service, which serves no request itself
   */
  public Transcoder(
      HttpService sockets,
      RouteTable routes,
      CoreCalls core,
      Function<Route, RouteHandler> handlers) {
    super(sockets);
    this.routes = routes;
    this.core = core;
    for (Route route : routes.routes()) {
      this.handlers.put(route, handlers.apply(route));
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return Handshake.isAsked(ctx.sessionProtocol(), request.headers())
        ? serve(ctx, request.withHeaders(Handshake.plain(request.headers())), true)
        : UnreadBody.of(ctx, request).ended(serve(ctx, request, false));
  }

  /** Returns the options of plain requests; those of WebSockets are set after the upgrade. */
  @Override
  public ServiceOptions options() {
    return ServiceOptions.of();
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request, boolean upgrade) {
    String requestId = RequestIds.of(ctx);
    if (log.isDebugEnabled()) {
      logAccess(ctx, request, requestId);
    }
    boolean head = request.method() == HttpMethod.HEAD;
    RouteMatch match = routes.find(head ? HttpMethod.GET : request.method(), path(ctx.rawPath()));
    if (match instanceof RouteMatch.Found found) {
      HttpResponse response =
          serve(
              new Exchange(
                  ctx, request, found.route(), found.values(), requestId, query(ctx), upgrade),
              handlers.get(found.route()));
      return head ? headersOf(response) : response;
    }
    if (match instanceof RouteMatch.OtherMethods others) {
      return wrongMethod(request, others, requestId);
    }
    return ErrorAnswers.response(
        ProtocolError.of(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "Unknown path."), requestId);
  }

  /** Returns only the headers of a response and discards its body. */
  private static HttpResponse headersOf(HttpResponse response) {
    SplitHttpResponse parts = response.split();
    return HttpResponse.of(
        parts
            .headers()
            .thenApply(
                headers -> {
                  parts.body().abort();
                  return HttpResponse.of(headers);
                }));
  }

  private static void logAccess(ServiceRequestContext ctx, HttpRequest request, String requestId) {
    long begin = System.nanoTime();
    var unused =
        ctx.log()
            .whenComplete()
            .thenAccept(
                done ->
                    log.debug(
                        "Request {}: {} {} from {}: {} in {} ms",
                        requestId,
                        request.method(),
                        path(ctx.rawPath()),
                        ctx.remoteAddress(),
                        done.responseStatus(),
                        (System.nanoTime() - begin) / 1_000_000));
  }

  /** Returns the raw path: normalizing it would make different paths equal. */
  private static String path(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  private static String query(ServiceRequestContext ctx) {
    return Optional.ofNullable(ctx.query()).orElse("");
  }

  private HttpResponse serve(Exchange exchange, RouteHandler handler) {
    try {
      if (!exchange.route().rule().getOpen()) {
        HeaderChecks.version(exchange.request().headers());
        HeaderChecks.credentials(exchange.request().headers());
      }
    } catch (ProtocolException e) {
      return ErrorAnswers.response(e.error(), exchange.requestId());
    }
    try {
      if (exchange.upgrade()
          && exchange.route().rule().getDelivery() != Delivery.DELIVERY_EVENT_STREAM) {
        throw new ProtocolException(
            ProtocolError.invalid("Upgrade", "This path does not support WebSockets."));
      }
      return handler.serve(exchange);
    } catch (ProtocolException e) {
      return HttpResponse.of(refuse(core, exchange, e));
    }
  }

  /**
   * Responds to a request that the gateway rejects; with the core's error instead if the
   * credentials are invalid.
   */
  public static CompletableFuture<HttpResponse> refuse(
      CoreCalls core, Exchange exchange, Throwable failure) {
    return core.refusal(exchange, error(exchange, failure))
        .thenApply(error -> ErrorAnswers.response(error, exchange.requestId()));
  }

  /** Returns the response to a failed request. */
  public static HttpResponse failure(Exchange exchange, Throwable failure) {
    return ErrorAnswers.response(error(exchange, failure), exchange.requestId());
  }

  /**
   * Returns the error for a failure. Logs an unexpected failure and omits its cause from the error.
   */
  public static ProtocolError error(Exchange exchange, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ProtocolException refusal) {
      return refusal.error();
    }
    if (ClientDisconnects.is(cause)) {
      return ClientDisconnects.ERROR;
    }
    log.error("Request {} failed in the gateway", exchange.requestId(), cause);
    return ProtocolError.of(
        ErrorCode.ERROR_CODE_INTERNAL_ERROR,
        "An unexpected error occurred; see the server's log for request id "
            + exchange.requestId()
            + ".");
  }

  private static HttpResponse wrongMethod(
      HttpRequest request, RouteMatch.OtherMethods others, String requestId) {
    Stream<HttpMethod> head =
        others.allowed().contains(HttpMethod.GET) ? Stream.of(HttpMethod.HEAD) : Stream.empty();
    String allowed =
        Stream.concat(others.allowed().stream(), head)
            .map(Enum::name)
            .sorted()
            .collect(Collectors.joining(", "));
    ProtocolError error =
        ProtocolError.ofStatus(
            405, "The method " + request.method() + " is not supported; expected " + allowed + ".");
    return HttpResponse.of(
        ErrorAnswers.headers(error).set(HttpHeaderNames.ALLOW, allowed).build(),
        HttpData.wrap(ErrorAnswers.envelope(error, requestId)));
  }
}
