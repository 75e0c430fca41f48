package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.TlsEngineType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.bridle.connection.ConnectionGate;
import dev.bridle.connection.ConnectionRegistry;
import dev.bridle.gateway.kit.call.HeadGuard;
import dev.bridle.gateway.kit.call.HttpLayerErrors;
import dev.bridle.gateway.kit.error.ErrorFormat;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** A running server of one gateway, with the limits that every connection has. */
public final class Listener implements AutoCloseable {
  // Longer than the deadline of calls to the core, which results in a better error.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final int MAX_HTTP2_STREAMS = 128;
  private static final int HTTP2_STREAM_WINDOW = 256 << 10;
  private static final int HTTP2_CONNECTION_WINDOW = 1 << 20;

  private final Server server;
  private final URI baseUrl;

  private Listener(Server server, URI baseUrl) {
    this.server = server;
    this.baseUrl = baseUrl;
  }

  /**
   * Starts a server and returns when it listens.
   *
   * @param publicUrl is given the port
   * @param service serves all paths
   * @param errors the format of errors of the HTTP layer
   * @throws java.util.concurrent.CompletionException if the port can't be bound
   */
  public static Listener start(
      ListenerOptions options,
      PublicUrl publicUrl,
      HttpService service,
      ErrorFormat errors,
      MeterRegistry meters) {
    String name = options.host() + ":" + options.port();
    ConnectionRegistry connections =
        new ConnectionRegistry(name, options.connections(), System::nanoTime);
    Server server =
        bound(options, connections)
            .serviceUnder("/", admitting(service, connections, HostCheck.of(options, errors)))
            .errorHandler(new HttpLayerErrors(errors))
            .requestTimeout(options.requestTimeout().plus(GRACE))
            // Handlers limit the bytes themselves, since checks have a defined order.
            .maxRequestLength(0)
            .meterRegistry(meters)
            // The handlers log unexpected errors; client disconnects are not logged.
            .unloggedExceptionsReportInterval(Duration.ZERO)
            .maxNumConnections(options.connections().maxConnections())
            // The data that a connection may send before it is authenticated.
            .http2MaxStreamsPerConnection(MAX_HTTP2_STREAMS)
            .http2InitialStreamWindowSize(HTTP2_STREAM_WINDOW)
            .http2InitialConnectionWindowSize(HTTP2_CONNECTION_WINDOW)
            .childChannelOption(ChannelOption.RECVBUF_ALLOCATOR, readAllocator())
            .gracefulShutdownTimeout(Duration.ZERO, options.shutdownTimeout())
            .disableServerHeader()
            // Of requests of HTTP/1.0 that name none.
            .defaultHostname("localhost")
            .addHeader(HttpHeaderNames.SERVER, "Bridle")
            .build();
    server.start().join();
    return new Listener(server, publicUrl.listening(server.activeLocalPort()));
  }

  /**
   * Reports each request to the registry, and answers those for others. Clients without credentials
   * are served, so any request counts.
   */
  private static HttpService admitting(
      HttpService service, ConnectionRegistry connections, HostCheck hosts) {
    return service.decorate(
        (delegate, ctx, request) -> {
          connections.called(ctx.remoteAddress(), ctx.localAddress());
          Optional<HttpResponse> refusal = hosts.refusal(ctx, request);
          return refusal.isPresent() ? refusal.get() : delegate.serve(ctx, request);
        });
  }

  /** Binds the address, with TLS where there is a certificate. */
  private static ServerBuilder bound(ListenerOptions options, ConnectionRegistry connections) {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (options.certificate().isEmpty()) {
      return Server.builder()
          .port(address, SessionProtocol.HTTP)
          .childChannelPipelineCustomizer(
              pipeline -> {
                HeadGuard.install(pipeline);
                ConnectionGate.install(pipeline, connections);
              });
    }
    return Server.builder()
        .port(address, SessionProtocol.HTTPS)
        .tls(new KeyManagerFactoryWrapper(options.certificate().get()))
        // Asks for the certificate at each handshake, so that a renewed one is used at once.
        .tlsEngineType(TlsEngineType.JDK)
        .childChannelPipelineCustomizer(
            pipeline -> {
              TlsOnly.install(pipeline);
              HeadGuard.installBehindTls(pipeline);
              ConnectionGate.install(pipeline, connections);
            });
  }

  /** Returns the port that it listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Returns the URL that it listens on, without a trailing slash. */
  public URI baseUrl() {
    return baseUrl;
  }

  /** Waits for running requests, then stops. */
  @Override
  public void close() {
    server.stop().join();
  }

  private static ReadSizeAllocator readAllocator() {
    return new ReadSizeAllocator(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }
}
