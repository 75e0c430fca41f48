package dev.bridle.harpgateway;

import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.UnsentBytes;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * The settings of a HARP gateway.
 *
 * @param listener where it listens; beyond the loopback interface with a certificate only
 * @param maxPendingBytes the maximum bytes of request bodies in progress, half of them for one
 *     tenant; requests beyond that are rejected with 503
 * @param maxUnsentBytes the maximum bytes that wait for clients of channels and long polls to read
 *     them, half of them for one tenant; beyond that, the slowest channel is closed
 * @param pingInterval the interval of pings on a silent stream or WebSocket
 * @param slowReaderTimeout the time after which a stream that its client does not read is closed
 * @param approvePage whether the page for approvers is served below {@code /approve/}; who serves
 *     it could sign as whoever uses it
 */
public record HarpGatewayOptions(
    ListenerOptions listener,
    long maxPendingBytes,
    long maxUnsentBytes,
    Duration pingInterval,
    Duration slowReaderTimeout,
    boolean approvePage) {
  /** The port that is listened on if nothing else is said. */
  public static final int DEFAULT_PORT = 8085;

  /** The interval of pings that the binding names. */
  public static final Duration DEFAULT_PING_INTERVAL = Duration.ofSeconds(30);

  private static final long DEFAULT_MAX_PENDING_BYTES = 32L << 20;

  /** The maximum bytes that wait for clients: many more than readers leave that read. */
  public static final long DEFAULT_MAX_UNSENT_BYTES = 64L << 20;

  /** An envelope of the relay is larger than the one that was submitted, by its header. */
  private static final long LEAST_UNSENT_BYTES = 4L * GatewayEnvelope.MAX_BYTES;

  private static final Duration DEFAULT_SLOW_READER_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if HARP would be spoken in plaintext beyond this machine, or
   *     an envelope does not fit a budget
   */
  public HarpGatewayOptions {
    if (maxPendingBytes < GatewayEnvelope.MAX_BYTES) {
      throw new IllegalArgumentException(
          "maxPendingBytes is "
              + maxPendingBytes
              + "; expected at least "
              + GatewayEnvelope.MAX_BYTES);
    }
    if (maxUnsentBytes < LEAST_UNSENT_BYTES) {
      throw new IllegalArgumentException(
          "maxUnsentBytes is " + maxUnsentBytes + "; expected at least " + LEAST_UNSENT_BYTES);
    }
    atLeastAMillisecond(pingInterval, "pingInterval");
    atLeastAMillisecond(slowReaderTimeout, "slowReaderTimeout");
    if (listener.certificate().isEmpty() && !isLoopback(listener.host())) {
      throw new IllegalArgumentException(
          "HARP is not spoken in plaintext beyond this machine: listen on 127.0.0.1, or with a"
              + " certificate");
    }
  }

  /** Returns the default settings. */
  public static HarpGatewayOptions defaults() {
    return new HarpGatewayOptions(
        ListenerOptions.defaults().withPort(DEFAULT_PORT),
        DEFAULT_MAX_PENDING_BYTES,
        DEFAULT_MAX_UNSENT_BYTES,
        DEFAULT_PING_INTERVAL,
        DEFAULT_SLOW_READER_TIMEOUT,
        false);
  }

  /** Returns a copy that listens elsewhere. */
  public HarpGatewayOptions withListener(ListenerOptions other) {
    return new HarpGatewayOptions(
        other, maxPendingBytes, maxUnsentBytes, pingInterval, slowReaderTimeout, approvePage);
  }

  /** Returns a copy with another {@code maxPendingBytes}. */
  public HarpGatewayOptions withMaxPendingBytes(long other) {
    return new HarpGatewayOptions(
        listener, other, maxUnsentBytes, pingInterval, slowReaderTimeout, approvePage);
  }

  /** Returns a copy with another {@code maxUnsentBytes}. */
  public HarpGatewayOptions withMaxUnsentBytes(long other) {
    return new HarpGatewayOptions(
        listener, maxPendingBytes, other, pingInterval, slowReaderTimeout, approvePage);
  }

  /** Returns a copy with another {@code pingInterval}. */
  public HarpGatewayOptions withPingInterval(Duration other) {
    return new HarpGatewayOptions(
        listener, maxPendingBytes, maxUnsentBytes, other, slowReaderTimeout, approvePage);
  }

  /** Returns a copy with another {@code slowReaderTimeout}. */
  public HarpGatewayOptions withSlowReaderTimeout(Duration other) {
    return new HarpGatewayOptions(
        listener, maxPendingBytes, maxUnsentBytes, pingInterval, other, approvePage);
  }

  /** Returns a copy that serves the page for approvers. */
  public HarpGatewayOptions withApprovePage() {
    return new HarpGatewayOptions(
        listener, maxPendingBytes, maxUnsentBytes, pingInterval, slowReaderTimeout, true);
  }

  UnsentBytes unsent() {
    return new UnsentBytes(maxUnsentBytes, maxUnsentBytes / 2);
  }

  StreamSettings streams() {
    return new StreamSettings(pingInterval, slowReaderTimeout, listener.requestTimeout());
  }

  private static void atLeastAMillisecond(Duration given, String name) {
    if (given.toMillis() < 1) {
      throw new IllegalArgumentException(
          name + " is " + given + "; expected at least a millisecond");
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
