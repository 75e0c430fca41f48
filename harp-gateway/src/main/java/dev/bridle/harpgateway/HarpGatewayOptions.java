package dev.bridle.harpgateway;

import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The settings of a HARP gateway.
 *
 * @param listener where it listens; beyond the loopback interface with a certificate only
 * @param maxPendingBytes the maximum bytes of request bodies in progress, half of them for one
 *     tenant; requests beyond that are rejected with 503
 */
public record HarpGatewayOptions(ListenerOptions listener, long maxPendingBytes) {
  /** The port that is listened on if nothing else is said. */
  public static final int DEFAULT_PORT = 8085;

  private static final long DEFAULT_MAX_PENDING_BYTES = 32L << 20;

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if HARP would be spoken in plaintext beyond this machine, or
   *     an envelope does not fit the budget
   */
  public HarpGatewayOptions {
    if (maxPendingBytes < GatewayEnvelope.MAX_BYTES) {
      throw new IllegalArgumentException(
          "maxPendingBytes is "
              + maxPendingBytes
              + "; expected at least "
              + GatewayEnvelope.MAX_BYTES);
    }
    if (listener.certificate().isEmpty() && !isLoopback(listener.host())) {
      throw new IllegalArgumentException(
          "HARP is not spoken in plaintext beyond this machine: listen on 127.0.0.1, or with a"
              + " certificate");
    }
  }

  /** Returns the default settings. */
  public static HarpGatewayOptions defaults() {
    return new HarpGatewayOptions(
        ListenerOptions.defaults().withPort(DEFAULT_PORT), DEFAULT_MAX_PENDING_BYTES);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
