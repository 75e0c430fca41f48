package dev.bridle.gateway.kit.route;

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
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.AccessLog;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.RawPath;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.call.UnreadBody;
import dev.bridle.gateway.kit.call.Upgrade;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Serves every request: finds its route and rejects those without one (404, 405), has it admitted,
 * and passes it to its handler. A WebSocket has the route of its path: its handshake is converted
 * to the headers of a plain request first. Decorates Armeria's WebSocket service, so that Armeria
 * accepts upgrades.
 *
 * @param <R> the type of routes
 * @param <C> the type of calls
 */
public final class Dispatcher<R, C extends Call> extends SimpleDecoratingHttpService {

  private final PathTree<R> routes;
  private final Admission<R, C> admission;
  private final ErrorFormat errors;
  private final CoreCalls core;

  /**
   * Creates a dispatcher of these routes.
   *
   * @param sockets Armeria's WebSocket service, which serves no request itself
   */
  public Dispatcher(
      HttpService sockets,
      PathTree<R> routes,
      Admission<R, C> admission,
      ErrorFormat errors,
      CoreCalls core) {
    super(sockets);
    this.routes = routes;
    this.admission = admission;
    this.errors = errors;
    this.core = core;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return Upgrade.isAsked(ctx.sessionProtocol(), request.headers())
        ? serve(ctx, request.withHeaders(admission.plain(request.headers())), true)
        : UnreadBody.of(ctx, request).ended(serve(ctx, request, false));
  }

  /** Returns the options of plain requests; those of WebSockets are set after the upgrade. */
  @Override
  public ServiceOptions options() {
    return ServiceOptions.of();
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request, boolean upgrade) {
    String requestId = RequestIds.of(ctx);
    AccessLog.record(ctx, request, requestId);
    boolean head = request.method() == HttpMethod.HEAD;
    RouteMatch<R> match = routes.find(head ? HttpMethod.GET : request.method(), RawPath.of(ctx));
    if (match instanceof RouteMatch.Found<R> found) {
      String query = Optional.ofNullable(ctx.query()).orElse("");
      Arrival arrival = new Arrival(ctx, request, requestId, query, upgrade);
      HttpResponse response = serve(arrival, found);
      return head ? headersOf(response) : response;
    }
    if (match instanceof RouteMatch.OtherMethods<R> others) {
      return wrongMethod(request, others, requestId);
    }
    return errors.response(
        ProtocolError.of(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "Unknown path."), requestId);
  }

  private HttpResponse serve(Arrival arrival, RouteMatch.Found<R> found) {
    C call;
    try {
      call = admission.admit(arrival, found.route(), found.values());
    } catch (ProtocolException e) {
      return errors.response(e.error(), arrival.requestId());
    }
    try {
      return admission.handler(call).serve(call);
    } catch (ProtocolException e) {
      return HttpResponse.of(Failures.refuse(core, call, e));
    }
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

  private HttpResponse wrongMethod(
      HttpRequest request, RouteMatch.OtherMethods<R> others, String requestId) {
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
        errors.headers(error).set(HttpHeaderNames.ALLOW, allowed).build(),
        HttpData.wrap(errors.body(error, requestId)));
  }
}
