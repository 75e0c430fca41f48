package dev.bridle.gateway;

import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The options of a gateway. Create them with {@link #defaults()} and the {@code with…} methods.
 *
 * @param listener where it listens, and what it grants every connection
 * @param maxJsonBytes the maximum size of a JSON body, in bytes
 * @param maxJsonDepth the maximum nesting depth of a JSON body
 * @param maxPendingBytes the maximum bytes of request bodies in progress, half of them for one
 *     tenant; requests beyond that are rejected with {@code service_unavailable}
 * @param maxUnsentBytes the maximum bytes of responses that wait for clients to read them, half of
 *     them for one tenant; beyond that, the slowest reader is closed
 * @param maxArtifactBytes the maximum size of an uploaded artifact, in bytes
 * @param heartbeatInterval the heartbeat interval of an idle event stream
 * @param slowReaderTimeout the time after which a stream that its client does not read is closed
 * @param services the full names of the services whose routes are served; empty for all
 */
public record GatewayOptions(
    ListenerOptions listener,
    int maxJsonBytes,
    int maxJsonDepth,
    long maxPendingBytes,
    long maxUnsentBytes,
    long maxArtifactBytes,
    Duration heartbeatInterval,
    Duration slowReaderTimeout,
    Set<String> services) {

  /** Bounds the memory of one request. */
  public static final int DEFAULT_MAX_JSON_BYTES = 1 << 20;

  /** Bounds the stack depth of all JSON readers behind the gateway. */
  public static final int DEFAULT_MAX_JSON_DEPTH = 64;

  /** Bounds the memory of all requests together. */
  public static final long DEFAULT_MAX_PENDING_BYTES = 32L << 20;

  /** Bounds the memory of all responses together: many more than readers leave that read. */
  public static final long DEFAULT_MAX_UNSENT_BYTES = 64L << 20;

  /** A page of a list has more than two megabytes, if its last row is large. */
  public static final long LEAST_UNSENT_BYTES = 16L << 20;

  /** Bounds the storage used by one upload. */
  public static final long DEFAULT_MAX_ARTIFACT_BYTES = 64L << 20;

  /** Shorter than the idle time-outs of common proxies. */
  public static final Duration DEFAULT_HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

  /** Bounds how long a client that stopped reading holds memory. */
  public static final Duration DEFAULT_SLOW_READER_TIMEOUT = Duration.ofSeconds(30);

  /** Copies the set, and rejects invalid values. */
  public GatewayOptions {
    services = Set.copyOf(services);
    atLeast(1, maxJsonBytes, "maxJsonBytes");
    atLeast(1, maxJsonDepth, "maxJsonDepth");
    atLeast(maxJsonBytes, maxPendingBytes, "maxPendingBytes");
    atLeast(LEAST_UNSENT_BYTES, maxUnsentBytes, "maxUnsentBytes");
    atLeast(1, maxArtifactBytes, "maxArtifactBytes");
    atLeast(1, heartbeatInterval.toMillis(), "heartbeatInterval in milliseconds");
    atLeast(1, slowReaderTimeout.toMillis(), "slowReaderTimeout in milliseconds");
  }

  /** Returns the default options. */
  public static GatewayOptions defaults() {
    return new GatewayOptions(
        ListenerOptions.defaults(),
        DEFAULT_MAX_JSON_BYTES,
        DEFAULT_MAX_JSON_DEPTH,
        DEFAULT_MAX_PENDING_BYTES,
        DEFAULT_MAX_UNSENT_BYTES,
        DEFAULT_MAX_ARTIFACT_BYTES,
        DEFAULT_HEARTBEAT_INTERVAL,
        DEFAULT_SLOW_READER_TIMEOUT,
        Set.of());
  }

  /** Returns a copy with a changed {@code listener}. */
  public GatewayOptions withListener(UnaryOperator<ListenerOptions> change) {
    return new GatewayOptions(
        change.apply(listener),
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code maxJsonBytes}. */
  public GatewayOptions withMaxJsonBytes(int other) {
    return new GatewayOptions(
        listener,
        other,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code maxJsonDepth}. */
  public GatewayOptions withMaxJsonDepth(int other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        other,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code maxPendingBytes}. */
  public GatewayOptions withMaxPendingBytes(long other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        other,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code maxUnsentBytes}. */
  public GatewayOptions withMaxUnsentBytes(long other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        other,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code maxArtifactBytes}. */
  public GatewayOptions withMaxArtifactBytes(long other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        other,
        heartbeatInterval,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code heartbeatInterval}. */
  public GatewayOptions withHeartbeatInterval(Duration other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        other,
        slowReaderTimeout,
        services);
  }

  /** Returns a copy with another {@code slowReaderTimeout}. */
  public GatewayOptions withSlowReaderTimeout(Duration other) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        other,
        services);
  }

  /** Returns a copy that serves the routes of these services only. */
  public GatewayOptions withServices(Set<String> only) {
    return new GatewayOptions(
        listener,
        maxJsonBytes,
        maxJsonDepth,
        maxPendingBytes,
        maxUnsentBytes,
        maxArtifactBytes,
        heartbeatInterval,
        slowReaderTimeout,
        only);
  }

  UnsentBytes unsent() {
    return new UnsentBytes(maxUnsentBytes, maxUnsentBytes / 2);
  }

  private static void atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + "; expected at least " + least);
    }
  }
}
