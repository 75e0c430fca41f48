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
import dev.bridle.gateway.socket.SocketDoor;
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
 * A running gateway: serves the Harn Agents Protocol over REST, server-sent events and WebSockets,
 * and calls the core over gRPC for all of it.
 */
public final class HttpGateway implements AutoCloseable {

  // Longer than the calls' own deadline, which gives the better answer.
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

  /** Starts a gateway that keeps its figures to itself. */
  public static HttpGateway start(Channel core, GatewayOptions options) {
    return start(core, options, new SimpleMeterRegistry());
  }

  /**
   * Starts a gateway and returns once it listens.
   *
   * @param core a channel to the core; the caller closes it, after the gateway
   * @param meters takes the gateway's figures
   * @throws java.util.concurrent.CompletionException where the port can't be bound
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
                    door(core, options, streams, publicUrl), options.allowedOrigins()))
            .errorHandler(new EnvelopeErrorHandler())
            .requestTimeout(options.requestTimeout().plus(GRACE))
            // Handlers count the bytes themselves, since refusals have an order.
            .maxRequestLength(0)
            .meterRegistry(meters)
            // The handlers log what nobody foresaw; clients that go away are no news.
            .unloggedExceptionsReportInterval(Duration.ZERO)
            .maxNumConnections(options.maxConnections())
            // What a connection may send unasked, before anybody knows whose it is.
            .http2MaxStreamsPerConnection(MAX_HTTP2_STREAMS)
            .http2InitialStreamWindowSize(HTTP2_STREAM_WINDOW)
            .http2InitialConnectionWindowSize(HTTP2_CONNECTION_WINDOW)
            .childChannelOption(ChannelOption.RECVBUF_ALLOCATOR, turns())
            .childChannelPipelineCustomizer(HeadGuard::install)
            .gracefulShutdownTimeout(Duration.ZERO, options.shutdownTimeout())
            .disableServerHeader()
            .addHeader(HttpHeaderNames.SERVER, "Bridle")
            .build();
    server.start().join();
    URI baseUrl = publicUrl.listening(server.activeLocalPort());
    return new HttpGateway(server, streams, baseUrl);
  }

  /** The port that the gateway listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** The URL that the gateway listens on, without a slash at its end. */
  public URI baseUrl() {
    return baseUrl;
  }

  /** The response streams that are open. */
  public OpenStreams streams() {
    return streams;
  }

  /** Ends streams with a word about it, lets running requests finish, then stops. */
  @Override
  public void close() {
    streams.drain();
    server.stop().join();
  }

  private static ReadTurns turns() {
    return new ReadTurns(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  private static SocketDoor door(
      Channel core, GatewayOptions options, OpenStreams streams, PublicUrl publicUrl) {
    ServiceCatalog catalog = ServiceCatalog.load();
    RouteTable routes = RouteTable.of(catalog.services());
    CoreCalls calls = new CoreCalls(core, options.requestTimeout());
    FrameCodec codec = new FrameCodec(options.maxJsonBytes(), options.maxJsonDepth());
    Handlers handlers = new Handlers(catalog, routes, calls, options, publicUrl, streams, codec);
    return SocketDoor.before(new Transcoder(routes, calls, handlers::of), codec);
  }
}
