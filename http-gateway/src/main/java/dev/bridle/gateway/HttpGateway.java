package dev.bridle.gateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.HttpService;
import dev.bridle.gateway.call.Binding;
import dev.bridle.gateway.call.HandlingPreference;
import dev.bridle.gateway.call.HarnAdmission;
import dev.bridle.gateway.call.ProtocolVersions;
import dev.bridle.gateway.error.ErrorEnvelope;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.listener.CrossOrigin;
import dev.bridle.gateway.kit.listener.Listener;
import dev.bridle.gateway.kit.listener.PublicUrl;
import dev.bridle.gateway.kit.route.Dispatcher;
import dev.bridle.gateway.kit.socket.FrameCodec;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import io.grpc.Channel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.List;

/**
 * A running gateway. Serves the Harn Agents Protocol over REST, server-sent events and WebSockets,
 * and calls the core over gRPC.
 */
public final class HttpGateway implements AutoCloseable {
  /** The headers that pages of other origins may send. */
  private static final List<CharSequence> REQUEST_HEADERS =
      List.of(
          HttpHeaderNames.AUTHORIZATION,
          HttpHeaderNames.ACCEPT,
          HttpHeaderNames.CONTENT_TYPE,
          HttpHeaderNames.of(ProtocolVersions.HEADER),
          HttpHeaderNames.of(HeaderChecks.IDEMPOTENCY_KEY),
          HttpHeaderNames.of("last-event-id"),
          HandlingPreference.PREFER,
          HttpHeaderNames.of("traceparent"));

  /** The headers that pages of other origins may read, in addition to those of all gateways. */
  private static final List<CharSequence> RESPONSE_HEADERS =
      List.of(HandlingPreference.APPLIED, Binding.IGNORED);

  private final Listener listener;
  private final OpenStreams streams;

  private HttpGateway(Listener listener, OpenStreams streams) {
    this.listener = listener;
    this.streams = streams;
  }

  /** Starts a gateway without publishing its metrics. */
  public static HttpGateway start(Channel core, GatewayOptions options) {
    return start(core, options, new SimpleMeterRegistry());
  }

  /**
   * Starts a gateway and returns when it listens.
   *
   * @param core a channel to the core; the caller closes it, after the gateway
   * @param meters receives the gateway's metrics
   * @throws java.util.concurrent.CompletionException if the port can't be bound
   */
  public static HttpGateway start(Channel core, GatewayOptions options, MeterRegistry meters) {
    OpenStreams streams = new OpenStreams(meters, "bridle.gateway.streams", options.unsent());
    PublicUrl publicUrl = new PublicUrl(options.listener());
    HttpService service =
        CrossOrigin.around(
            dispatcher(core, options, streams, publicUrl),
            options.listener().allowedOrigins(),
            REQUEST_HEADERS,
            RESPONSE_HEADERS);
    Listener listener =
        Listener.start(options.listener(), publicUrl, service, ErrorEnvelope.FORMAT, meters);
    return new HttpGateway(listener, streams);
  }

  /** Returns the port that the gateway listens on. */
  public int port() {
    return listener.port();
  }

  /** Returns the URL that the gateway listens on, without a trailing slash. */
  public URI baseUrl() {
    return listener.baseUrl();
  }

  /** Returns the open response streams. */
  public OpenStreams streams() {
    return streams;
  }

  /** Returns how many bytes wait for clients to read them. */
  public long unsentBytes() {
    return streams.unsent().used();
  }

  /** Ends streams with an error event, waits for running requests, then stops. */
  @Override
  public void close() {
    streams.drain();
    listener.close();
  }

  private static HttpService dispatcher(
      Channel core, GatewayOptions options, OpenStreams streams, PublicUrl publicUrl) {
    ServiceCatalog catalog = ServiceCatalog.load();
    RouteTable routes = RouteTable.of(catalog.services(options.services()));
    CoreCalls calls = new CoreCalls(core, options.listener().requestTimeout());
    // A frame is an object around the body.
    FrameCodec codec =
        new FrameCodec(
            options.maxJsonBytes(), options.maxJsonDepth() + 1, ProtocolVersions.SUPPORTED);
    Handlers handlers = new Handlers(catalog, routes, calls, options, publicUrl, streams, codec);
    return new Dispatcher<>(
        codec.service(),
        routes.paths(),
        new HarnAdmission(routes, handlers::of),
        ErrorEnvelope.FORMAT,
        calls);
  }
}
