package dev.bridle.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The options of a gateway. Create them with {@link #defaults()} and the {@code with…} methods.
 *
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param publicUrl the base URL at which clients reach the gateway; if absent, the one that it
 *     listens on
 * @param maxJsonBytes the maximum size of a JSON body, in bytes
 * @param maxJsonDepth the maximum nesting depth of a JSON body
 * @param maxPendingBytes the maximum bytes of request bodies in progress, half of them for one
 *     tenant; requests beyond that are rejected with {@code service_unavailable}
 * @param maxArtifactBytes the maximum size of an uploaded artifact, in bytes
 * @param heartbeatInterval the heartbeat interval of an idle event stream
 * @param slowReaderTimeout the time after which a stream that its client does not read is closed
 * @param requestTimeout the timeout of a request, or of a stream's first message
 * @param maxConnections the maximum number of open connections; further ones are closed at once
 * @param shutdownTimeout the time that {@link HttpGateway#close()} waits for running requests
 * @param allowedOrigins the origins whose pages may call REST, read streams and open WebSockets, in
 *     addition to the gateway's own; {@code *} for any
 */
public record GatewayOptions(
    String host,
    int port,
    Optional<URI> publicUrl,
    int maxJsonBytes,
    int maxJsonDepth,
    long maxPendingBytes,
    long maxArtifactBytes,
    Duration heartbeatInterval,
    Duration slowReaderTimeout,
    Duration requestTimeout,
    int maxConnections,
    Duration shutdownTimeout,
    Set<String> allowedOrigins) {

  /** By default, only programs on the same machine can reach a gateway. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** The protocol's port for local servers. */
  public static final int DEFAULT_PORT = 8080;

  /** Bounds the memory of one request. */
  public static final int DEFAULT_MAX_JSON_BYTES = 1 << 20;

  /** Bounds the stack depth of all JSON readers behind the gateway. */
  public static final int DEFAULT_MAX_JSON_DEPTH = 64;

  /** Bounds the memory of all requests together. */
  public static final long DEFAULT_MAX_PENDING_BYTES = 32L << 20;

  /** Bounds the storage used by one upload. */
  public static final long DEFAULT_MAX_ARTIFACT_BYTES = 64L << 20;

  /** Shorter than the idle time-outs of common proxies. */
  public static final Duration DEFAULT_HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

  /** Bounds how long a client that stopped reading holds memory. */
  public static final Duration DEFAULT_SLOW_READER_TIMEOUT = Duration.ofSeconds(30);

  /** Bounds how long a caller waits for a response. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /** Keeps the number of open files below the usual limit of a process. */
  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;

  /** Bounds the duration of a shutdown. */
  public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  /** Rejects invalid values. */
  public GatewayOptions {
    atLeast(0, port, "port");
    if (port > 65_535) {
      throw new IllegalArgumentException("port is " + port + "; expected 0 to 65535");
    }
    atLeast(1, maxJsonBytes, "maxJsonBytes");
    atLeast(1, maxJsonDepth, "maxJsonDepth");
    atLeast(maxJsonBytes, maxPendingBytes, "maxPendingBytes");
    atLeast(1, maxArtifactBytes, "maxArtifactBytes");
    atLeast(1, maxConnections, "maxConnections");
    atLeast(1, heartbeatInterval.toMillis(), "heartbeatInterval in milliseconds");
    atLeast(1, slowReaderTimeout.toMillis(), "slowReaderTimeout in milliseconds");
    atLeast(1, requestTimeout.toMillis(), "requestTimeout in milliseconds");
    atLeast(0, shutdownTimeout.toMillis(), "shutdownTimeout in milliseconds");
    allowedOrigins = Set.copyOf(allowedOrigins);
  }

  /** Returns the default options. */
  public static GatewayOptions defaults() {
    return new GatewayOptions(
        DEFAULT_HOST,
        DEFAULT_PORT,
        Optional.empty(),
        DEFAULT_MAX_JSON_BYTES,
        DEFAULT_MAX_JSON_DEPTH,
        DEFAULT_MAX_PENDING_BYTES,
        DEFAULT_MAX_ARTIFACT_BYTES,
        DEFAULT_HEARTBEAT_INTERVAL,
        DEFAULT_SLOW_READER_TIMEOUT,
        DEFAULT_REQUEST_TIMEOUT,
        DEFAULT_MAX_CONNECTIONS,
        DEFAULT_SHUTDOWN_TIMEOUT,
        Set.of());
  }

  /** Returns a copy with another {@code host}. */
  public GatewayOptions withHost(String host) {
    return with(changed -> changed.host = host);
  }

  /** Returns a copy with another {@code port}. */
  public GatewayOptions withPort(int port) {
    return with(changed -> changed.port = port);
  }

  /** Returns a copy with another {@code publicUrl}. */
  public GatewayOptions withPublicUrl(URI url) {
    return with(changed -> changed.publicUrl = Optional.of(url));
  }

  /** Returns a copy with another {@code maxJsonBytes}. */
  public GatewayOptions withMaxJsonBytes(int maxJsonBytes) {
    return with(changed -> changed.maxJsonBytes = maxJsonBytes);
  }

  /** Returns a copy with another {@code maxJsonDepth}. */
  public GatewayOptions withMaxJsonDepth(int maxJsonDepth) {
    return with(changed -> changed.maxJsonDepth = maxJsonDepth);
  }

  /** Returns a copy with another {@code maxPendingBytes}. */
  public GatewayOptions withMaxPendingBytes(long maxPendingBytes) {
    return with(changed -> changed.maxPendingBytes = maxPendingBytes);
  }

  /** Returns a copy with another {@code maxArtifactBytes}. */
  public GatewayOptions withMaxArtifactBytes(long maxArtifactBytes) {
    return with(changed -> changed.maxArtifactBytes = maxArtifactBytes);
  }

  /** Returns a copy with another {@code heartbeatInterval}. */
  public GatewayOptions withHeartbeatInterval(Duration heartbeatInterval) {
    return with(changed -> changed.heartbeatInterval = heartbeatInterval);
  }

  /** Returns a copy with another {@code slowReaderTimeout}. */
  public GatewayOptions withSlowReaderTimeout(Duration slowReaderTimeout) {
    return with(changed -> changed.slowReaderTimeout = slowReaderTimeout);
  }

  /** Returns a copy with another {@code requestTimeout}. */
  public GatewayOptions withRequestTimeout(Duration requestTimeout) {
    return with(changed -> changed.requestTimeout = requestTimeout);
  }

  /** Returns a copy with another {@code maxConnections}. */
  public GatewayOptions withMaxConnections(int maxConnections) {
    return with(changed -> changed.maxConnections = maxConnections);
  }

  /** Returns a copy with another {@code shutdownTimeout}. */
  public GatewayOptions withShutdownTimeout(Duration shutdownTimeout) {
    return with(changed -> changed.shutdownTimeout = shutdownTimeout);
  }

  /** Returns a copy with other {@code allowedOrigins}. */
  public GatewayOptions withAllowedOrigins(Set<String> allowedOrigins) {
    return with(changed -> changed.allowedOrigins = allowedOrigins);
  }

  private GatewayOptions with(Consumer<MutableOptions> change) {
    MutableOptions changed = new MutableOptions(this);
    change.accept(changed);
    return changed.options();
  }

  /** A mutable copy of the options. */
  private static final class MutableOptions {
    private String host;
    private int port;
    private Optional<URI> publicUrl;
    private int maxJsonBytes;
    private int maxJsonDepth;
    private long maxPendingBytes;
    private long maxArtifactBytes;
    private Duration heartbeatInterval;
    private Duration slowReaderTimeout;
    private Duration requestTimeout;
    private int maxConnections;
    private Duration shutdownTimeout;
    private Set<String> allowedOrigins;

    MutableOptions(GatewayOptions from) {
      host = from.host;
      port = from.port;
      publicUrl = from.publicUrl;
      maxJsonBytes = from.maxJsonBytes;
      maxJsonDepth = from.maxJsonDepth;
      maxPendingBytes = from.maxPendingBytes;
      maxArtifactBytes = from.maxArtifactBytes;
      heartbeatInterval = from.heartbeatInterval;
      slowReaderTimeout = from.slowReaderTimeout;
      requestTimeout = from.requestTimeout;
      maxConnections = from.maxConnections;
      shutdownTimeout = from.shutdownTimeout;
      allowedOrigins = from.allowedOrigins;
    }

    GatewayOptions options() {
      return new GatewayOptions(
          host,
          port,
          publicUrl,
          maxJsonBytes,
          maxJsonDepth,
          maxPendingBytes,
          maxArtifactBytes,
          heartbeatInterval,
          slowReaderTimeout,
          requestTimeout,
          maxConnections,
          shutdownTimeout,
          allowedOrigins);
    }
  }

  private static void atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + "; expected at least " + least);
    }
  }
}
