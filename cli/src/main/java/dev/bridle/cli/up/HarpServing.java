package dev.bridle.cli.up;

import dev.bridle.harpgateway.HarpGatewayOptions;
import java.time.Duration;

/**
 * How HARP is served, at the same address as REST.
 *
 * @param port the port, 0 for any free one
 * @param pingInterval the interval of pings on a silent stream or WebSocket
 */
public record HarpServing(int port, Duration pingInterval) {
  /** Returns how HARP is served at a port if nothing else is said. */
  public static HarpServing at(int port) {
    return new HarpServing(port, HarpGatewayOptions.DEFAULT_PING_INTERVAL);
  }
}
