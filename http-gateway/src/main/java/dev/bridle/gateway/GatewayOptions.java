package dev.bridle.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What can be set on a gateway. {@link #defaults()} and the {@code with…} methods make one.
 *
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param publicUrl the base URL under which clients reach the gateway; where absent, the one that
 *     it listens on
 * @param maxJsonBytes the longest JSON body, in bytes
 * @param maxJsonDepth how deep objects and arrays may nest in a body
 * @param maxPendingBytes how many bytes of request bodies may be under way at once, half of them
 *     for one tenant; what is beyond is refused with {@code service_unavailable}
 * @param maxArtifactBytes the longest artifact that can be uploaded, in bytes
 * @param heartbeatInterval how long an event stream is silent before it carries a comment
 * @param slowReaderTimeout how long a reader may leave waiting data unread before it is cut off
 * @param requestTimeout how long a request may take; a stream, until its first message
 * @param maxConnections how many connections are open at most; further ones are closed at once
 * @param shutdownTimeout how long {@link HttpGateway#close()} waits for running requests
 * @param allowedOrigins the origins whose pages may call REST, read streams and open WebSockets,
 *     beside those of the gateway's own host; {@code *} for any
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

  /** Only programs of the same machine reach a gateway unless somebody decides otherwise. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** The port of the protocol's local servers. */
  public static final int DEFAULT_PORT = 8080;

  /** Bounds what one request can make the gateway hold in memory. */
  public static final int DEFAULT_MAX_JSON_BYTES = 1 << 20;

  /** Bounds the stack of every reader of the JSON behind the gateway. */
  public static final int DEFAULT_MAX_JSON_DEPTH = 64;

  /** Bounds what all requests together can make the gateway hold in memory. */
  public static final long DEFAULT_MAX_PENDING_BYTES = 32L << 20;

  /** Bounds what one upload can make the core store. */
  public static final long DEFAULT_MAX_ARTIFACT_BYTES = 64L << 20;

  /** Shorter than the idle time-outs of common proxies. */
  public static final Duration DEFAULT_HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

  /** Bounds how long a reader that stopped reading holds memory. */
  public static final Duration DEFAULT_SLOW_READER_TIMEOUT = Duration.ofSeconds(30);

  /** Bounds how long a caller waits for an answer. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /** Keeps the number of open files below the usual limit of a process. */
  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;

  /** Bounds how long a stop takes. */
  public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  /** Refuses values that can't be served. */
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

  /** The defaults. */
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

  /** The same with another {@code host}. */
  public GatewayOptions withHost(String host) {
    return with(changed -> changed.host = host);
  }

  /** The same with another {@code port}. */
  public GatewayOptions withPort(int port) {
    return with(changed -> changed.port = port);
  }

  /** The same with another {@code publicUrl}. */
  public GatewayOptions withPublicUrl(URI url) {
    return with(changed -> changed.publicUrl = Optional.of(url));
  }

  /** The same with another {@code maxJsonBytes}. */
  public GatewayOptions withMaxJsonBytes(int maxJsonBytes) {
    return with(changed -> changed.maxJsonBytes = maxJsonBytes);
  }

  /** The same with another {@code maxJsonDepth}. */
  public GatewayOptions withMaxJsonDepth(int maxJsonDepth) {
    return with(changed -> changed.maxJsonDepth = maxJsonDepth);
  }

  /** The same with another {@code maxPendingBytes}. */
  public GatewayOptions withMaxPendingBytes(long maxPendingBytes) {
    return with(changed -> changed.maxPendingBytes = maxPendingBytes);
  }

  /** The same with another {@code maxArtifactBytes}. */
  public GatewayOptions withMaxArtifactBytes(long maxArtifactBytes) {
    return with(changed -> changed.maxArtifactBytes = maxArtifactBytes);
  }

  /** The same with another {@code heartbeatInterval}. */
  public GatewayOptions withHeartbeatInterval(Duration heartbeatInterval) {
    return with(changed -> changed.heartbeatInterval = heartbeatInterval);
  }

  /** The same with another {@code slowReaderTimeout}. */
  public GatewayOptions withSlowReaderTimeout(Duration slowReaderTimeout) {
    return with(changed -> changed.slowReaderTimeout = slowReaderTimeout);
  }

  /** The same with another {@code requestTimeout}. */
  public GatewayOptions withRequestTimeout(Duration requestTimeout) {
    return with(changed -> changed.requestTimeout = requestTimeout);
  }

  /** The same with another {@code maxConnections}. */
  public GatewayOptions withMaxConnections(int maxConnections) {
    return with(changed -> changed.maxConnections = maxConnections);
  }

  /** The same with another {@code shutdownTimeout}. */
  public GatewayOptions withShutdownTimeout(Duration shutdownTimeout) {
    return with(changed -> changed.shutdownTimeout = shutdownTimeout);
  }

  /** The same with other {@code allowedOrigins}. */
  public GatewayOptions withAllowedOrigins(Set<String> allowedOrigins) {
    return with(changed -> changed.allowedOrigins = allowedOrigins);
  }

  private GatewayOptions with(Consumer<Changed> change) {
    Changed changed = new Changed(this);
    change.accept(changed);
    return changed.options();
  }

  /** The members while they are changed. */
  private static final class Changed {
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

    Changed(GatewayOptions from) {
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
