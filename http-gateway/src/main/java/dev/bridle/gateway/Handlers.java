package dev.bridle.gateway;

import com.linecorp.armeria.common.HttpData;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.HandlingPreference;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.call.UnaryHandler;
import dev.bridle.gateway.ingress.IngressHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Turns;
import dev.bridle.gateway.kit.route.BodilessHandler;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.socket.FrameCodec;
import dev.bridle.gateway.kit.socket.Origins;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.gateway.openapi.DocumentHandler;
import dev.bridle.gateway.openapi.OpenApiDocument;
import dev.bridle.gateway.page.PageHandler;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import dev.bridle.gateway.socket.FrameCommand;
import dev.bridle.gateway.socket.ServerFrames;
import dev.bridle.gateway.socket.SocketHandler;
import dev.bridle.gateway.socket.Sockets;
import dev.bridle.gateway.stream.DownloadHandler;
import dev.bridle.gateway.stream.EncodedEvents;
import dev.bridle.gateway.stream.EventStreamHandler;
import dev.bridle.gateway.stream.UploadHandler;
import dev.bridle.gateway.token.TokenHandler;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MemberPolicy;
import dev.bridle.json.MessagePlans;
import java.util.function.Supplier;

/** Creates each route's handler, according to the kind of its response. */
final class Handlers {

  /** Each may take ten megabytes while it is read and written. */
  private static final int PAGES_AT_ONCE = 16;

  private final ServiceCatalog catalog;
  private final RouteTable routes;
  private final CoreCalls core;
  private final GatewayOptions options;
  private final Supplier<String> publicUrl;
  private final OpenStreams streams;
  private final StreamSettings settings;
  private final Sockets sockets;
  private final Bodies bodies;
  private final WholeResponses responses;
  private final Turns pages = new Turns(PAGES_AT_ONCE, PAGES_AT_ONCE / 2);
  private final MessagePlans plans = new MessagePlans();
  private final JsonWriter json = new JsonWriter(plans, MemberPolicy.WHOLE);
  private final EncodedEvents<HttpData> frames = EventStreamHandler.frames(json);

  Handlers(
      ServiceCatalog catalog,
      RouteTable routes,
      CoreCalls core,
      GatewayOptions options,
      Supplier<String> publicUrl,
      OpenStreams streams,
      FrameCodec codec) {
    this.catalog = catalog;
    this.routes = routes;
    this.core = core;
    this.options = options;
    this.publicUrl = publicUrl;
    this.streams = streams;
    this.settings =
        new StreamSettings(
            options.heartbeatInterval(),
            options.slowReaderTimeout(),
            options.listener().requestTimeout());
    this.bodies = new Bodies(core, options.maxPendingBytes(), options.maxJsonBytes());
    this.responses = new WholeResponses(bodies, streams.unsent());
    this.sockets =
        new Sockets(
            core,
            codec,
            new ServerFrames(json),
            routes.routes().stream()
                .filter(route -> !route.rule().getFrame().isEmpty())
                .map(route -> new FrameCommand(route.ofFrames(), unary(route)))
                .toList(),
            new Origins(options.listener().allowedOrigins(), publicUrl),
            settings,
            streams);
  }

  RouteHandler of(Route route) {
    RequestPlan plan = plan(route);
    RequestBinder binder = binder(route);
    return switch (route.rule().getDelivery()) {
      case DELIVERY_EVENT_STREAM -> events(binder);
      case DELIVERY_BYTES ->
          withoutBody(new DownloadHandler(binder, core, settings, streams, bodies));
      case DELIVERY_UPLOAD ->
          new UploadHandler(
              plan, binder, core, answers(route), bodies, settings, options.maxArtifactBytes());
      case DELIVERY_DOCUMENT ->
          withoutBody(
              new DocumentHandler(
                  binder, () -> new OpenApiDocument(catalog, routes, plans).json()));
      case DELIVERY_INGRESS ->
          new IngressHandler(plan, binder, core, answers(route), bodies, options.maxJsonBytes());
      case DELIVERY_PAGE -> withoutBody(new PageHandler(binder, core, answers(route), responses));
      case DELIVERY_TOKEN -> new TokenHandler(route, core, answers(route), bodies);
      default -> unary(route);
    };
  }

  /** Ignores bodies as the client prefers, without naming their members. */
  private RouteHandler withoutBody(RouteHandler handler) {
    CallHandler<Exchange> strict = new BodilessHandler<>(handler, core, bodies);
    return exchange ->
        HandlingPreference.isLenient(exchange.request().headers())
            ? handler.serve(exchange)
            : strict.serve(exchange);
  }

  private UnaryHandler unary(Route route) {
    return new UnaryHandler(
        route, binder(route), core, answers(route), bodies, options.maxJsonDepth(), pages);
  }

  private RouteHandler events(RequestBinder binder) {
    RouteHandler stream =
        withoutBody(new EventStreamHandler(binder, core, frames, settings, streams, bodies));
    RouteHandler socket = new SocketHandler(binder, sockets, bodies);
    return exchange -> (exchange.upgrade() ? socket : stream).serve(exchange);
  }

  private RequestPlan plan(Route route) {
    return new RequestPlan(route, plans);
  }

  private RequestBinder binder(Route route) {
    return new RequestBinder(plan(route), route.request(), publicUrl);
  }

  private JsonAnswers answers(Route route) {
    return new JsonAnswers(
        route.status(), json, plans.of(route.response().getDescriptorForType()), responses);
  }
}
