package dev.bridle.gateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import dev.bridle.gateway.call.CoreCalls;
import dev.bridle.gateway.call.EnvelopeErrorHandler;
import dev.bridle.gateway.call.HeadGuard;
import dev.bridle.gateway.call.Transcoder;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import dev.bridle.gateway.socket.FrameCodec;
import dev.bridle.gateway.stream.OpenStreams;
import io.grpc.Channel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelOption;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/**
 * A running gateway. Serves the Harn Agents Protocol over REST, server-sent events and WebSockets,
 * and calls the core over gRPC.
 */
public final class HttpGateway implements AutoCloseable {

  // Longer than the deadline of calls to the core, which results in a better error.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final int MAX_HTTP2_STREAMS = 128;
  private static final int HTTP2_STREAM_WINDOW = 256 << 10;
  private static final int HTTP2_CONNECTION_WINDOW = 1 << 20;

  private final Server server;
  private final OpenStreams streams;
  private final URI baseUrl;

  private HttpGateway(Server server, OpenStreams streams, URI baseUrl) {
    this.server = server;
    this.streams = streams;
    this.baseUrl = baseUrl;
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
    OpenStreams streams = new OpenStreams(meters);
    PublicUrl publicUrl = new PublicUrl(options);
    Server server =
        Server.builder()
            .port(new InetSocketAddress(options.host(), options.port()), SessionProtocol.HTTP)
            .serviceUnder(
                "/",
                CrossOrigin.around(
                    transcoder(core, options, streams, publicUrl), options.allowedOrigins()))
            .errorHandler(new EnvelopeErrorHandler())
            .requestTimeout(options.requestTimeout().plus(GRACE))
            // Handlers limit the bytes themselves, since checks have a defined order.
            .maxRequestLength(0)
            .meterRegistry(meters)
            // The handlers log unexpected errors; client disconnects are not logged.
            .unloggedExceptionsReportInterval(Duration.ZERO)
            .maxNumConnections(options.maxConnections())
            // The data that a connection may send before it is authenticated.
            .http2MaxStreamsPerConnection(MAX_HTTP2_STREAMS)
            .http2InitialStreamWindowSize(HTTP2_STREAM_WINDOW)
            .http2InitialConnectionWindowSize(HTTP2_CONNECTION_WINDOW)
            .childChannelOption(ChannelOption.RECVBUF_ALLOCATOR, readAllocator())
            .childChannelPipelineCustomizer(HeadGuard::install)
            .gracefulShutdownTimeout(Duration.ZERO, options.shutdownTimeout())
            .disableServerHeader()
            .addHeader(HttpHeaderNames.SERVER, "Bridle")
            .build();
    server.start().join();
    URI baseUrl = publicUrl.listening(server.activeLocalPort());
    return new HttpGateway(server, streams, baseUrl);
  }

  /** Returns the port that the gateway listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Returns the URL that the gateway listens on, without a trailing slash. */
  public URI baseUrl() {
    return baseUrl;
  }

  /** Returns the open response streams. */
  public OpenStreams streams() {
    return streams;
  }

  /** Ends streams with an error event, waits for running requests, then stops. */
  @Override
  public void close() {
    streams.drain();
    server.stop().join();
  }

  private static ReadSizeAllocator readAllocator() {
    return new ReadSizeAllocator(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  private static Transcoder transcoder(
      Channel core, GatewayOptions options, OpenStreams streams, PublicUrl publicUrl) {
    ServiceCatalog catalog = ServiceCatalog.load();
    RouteTable routes = RouteTable.of(catalog.services());
    CoreCalls calls = new CoreCalls(core, options.requestTimeout());
    FrameCodec codec = new FrameCodec(options.maxJsonBytes(), options.maxJsonDepth());
    Handlers handlers = new Handlers(catalog, routes, calls, options, publicUrl, streams, codec);
    return new Transcoder(codec.service(), routes, calls, handlers::of);
  }
}
