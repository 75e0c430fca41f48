package dev.bridle.harpgateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.HttpService;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.listener.CrossOrigin;
import dev.bridle.gateway.kit.listener.Listener;
import dev.bridle.gateway.kit.listener.PublicUrl;
import dev.bridle.gateway.kit.listener.StaticPages;
import dev.bridle.gateway.kit.route.Dispatcher;
import dev.bridle.gateway.kit.socket.FrameCodec;
import dev.bridle.gateway.kit.socket.Origins;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.harpgateway.call.HarpAdmission;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.harpgateway.route.CoreRoutes;
import dev.bridle.harpgateway.route.ExchangeRoutes;
import dev.bridle.harpgateway.route.HarpRoutes;
import dev.bridle.harpgateway.route.LiveRoutes;
import dev.bridle.harpgateway.route.PairingRoutes;
import dev.bridle.harpgateway.route.PresenceRoutes;
import dev.bridle.harpgateway.route.PromptRoutes;
import dev.bridle.harpgateway.route.SessionRoutes;
import dev.bridle.harpgateway.socket.RelaySockets;
import dev.bridle.pages.PageBundle;
import io.grpc.Channel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A running HARP gateway. Serves HARP's HTTP binding (HARP 0.2, "HTTP binding") and calls the
 * core's relay over gRPC. It has nothing that opens a payload.
 */
public final class HarpGateway implements AutoCloseable {
  private static final int MAX_JSON_DEPTH = 64;
  private static final String APPROVE = "/approve/";

  /** A page of a browser, which sends its key as a subprotocol, has to offer one that is taken. */
  private static final String SUBPROTOCOL = "harp-0.2";

  /** Longer than the longest wait for a decision. */
  private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(70);

  /** The headers that pages of other origins may send. */
  private static final List<CharSequence> REQUEST_HEADERS =
      List.of(
          HttpHeaderNames.AUTHORIZATION,
          HttpHeaderNames.ACCEPT,
          HttpHeaderNames.CONTENT_TYPE,
          HttpHeaderNames.of("idempotency-key"),
          HttpHeaderNames.of("last-event-id"),
          HttpHeaderNames.of("traceparent"));

  private final Listener listener;
  private final OpenStreams streams;
  private final UnsentBytes unsent;

  private HarpGateway(Listener listener, OpenStreams streams, UnsentBytes unsent) {
    this.listener = listener;
    this.streams = streams;
    this.unsent = unsent;
  }

  /** Starts a gateway without publishing its metrics. */
  public static HarpGateway start(Channel core, HarpGatewayOptions options) {
    return start(core, options, new SimpleMeterRegistry());
  }

  /**
   * Starts a gateway and returns when it listens.
   *
   * @param core a channel to the core; the caller closes it, after the gateway
   * @param meters receives the gateway's metrics
   * @throws java.util.concurrent.CompletionException if the port can't be bound
   */
  public static HarpGateway start(Channel core, HarpGatewayOptions options, MeterRegistry meters) {
    PublicUrl publicUrl = new PublicUrl(options.listener());
    UnsentBytes unsent = options.unsent();
    OpenStreams streams = new OpenStreams(meters, "bridle.harp.streams", unsent);
    CoreCalls calls = new CoreCalls(core, options.listener().requestTimeout());
    Bodies bodies = new Bodies(calls, options.maxPendingBytes(), SessionEvent.MAX_BYTES);
    HarpRoutes routes =
        new HarpRoutes(
            options.listener().certificate().isPresent(),
            calls,
            bodies,
            new WholeResponses(bodies, unsent));
    ExchangeRoutes.addTo(routes, calls, new CoreCalls(core, WAIT_TIMEOUT), bodies);
    CoreRoutes.addTo(routes, calls, bodies);
    PresenceRoutes.addTo(routes, calls, bodies);
    PairingRoutes.addTo(routes, calls, bodies);
    PromptRoutes.addTo(routes, calls, bodies);
    SessionRoutes.addTo(routes, calls, bodies);
    LiveRoutes.addStreams(routes, calls, bodies, options.streams(), streams, unsent);
    FrameCodec codec =
        new FrameCodec(GatewayEnvelope.MAX_BYTES, MAX_JSON_DEPTH, List.of(SUBPROTOCOL));
    Origins origins = new Origins(options.listener().allowedOrigins(), publicUrl);
    LiveRoutes.addSocket(
        routes,
        new RelaySockets(calls, bodies, codec, origins, options.streams(), streams, unsent));
    HttpService service =
        CrossOrigin.around(
            new Dispatcher<>(
                codec.service(), routes.paths(), new HarpAdmission(), HarpErrors.FORMAT, calls),
            options.listener().allowedOrigins(),
            REQUEST_HEADERS,
            List.of());
    HttpService all =
        options.approvePage()
            ? StaticPages.around(service, APPROVE, PageBundle.approve())
            : service;
    return new HarpGateway(
        Listener.start(options.listener(), publicUrl, all, HarpErrors.FORMAT, meters),
        streams,
        unsent);
  }

  /** Returns the port that the gateway listens on. */
  public int port() {
    return listener.port();
  }

  /** Returns the URL that the gateway listens on, without a trailing slash. */
  public URI baseUrl() {
    return listener.baseUrl();
  }

  /** Returns the open streams and WebSockets. */
  public OpenStreams streams() {
    return streams;
  }

  /** Returns how many bytes wait for clients of channels and long polls to read them. */
  public long unsentBytes() {
    return unsent.used();
  }

  /** Ends streams with an error, waits for running requests, then stops. */
  @Override
  public void close() {
    streams.drain();
    listener.close();
  }
}
