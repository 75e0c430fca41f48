package dev.bridle.cli.up;

import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harpgateway.HarpGatewayOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How HARP is served.
 *
 * @param port the port, 0 for any free one
 * @param pingInterval the interval of pings on a silent stream or WebSocket
 * @param maxUnsentBytes the maximum bytes that wait for clients to read them
 * @param listener the listener of its own; if absent, HARP is served at the address of REST and to
 *     the same origins
 * @param certificate the certificate of its own listener, which the server closes; if absent, that
 *     of REST is its own too, if there is one
 * @param page whether the page for phones is served; a relay alone does so only where asked: who
 *     serves it could sign as whoever uses it
 */
public record HarpServing(
    int port,
    Duration pingInterval,
    long maxUnsentBytes,
    Optional<ListenerOptions> listener,
    Optional<ServerCertificate> certificate,
    boolean page) {
  /** Returns how HARP is served at a port if nothing else is said. */
  public static HarpServing at(int port) {
    return new HarpServing(
        port,
        HarpGatewayOptions.DEFAULT_PING_INTERVAL,
        HarpGatewayOptions.DEFAULT_MAX_UNSENT_BYTES,
        Optional.empty(),
        Optional.empty(),
        true);
  }

  /** Returns a copy whose own listener, if it has one, is changed. */
  HarpServing withListener(UnaryOperator<ListenerOptions> change) {
    return new HarpServing(
        port, pingInterval, maxUnsentBytes, listener.map(change), certificate, page);
  }

  /** Returns a copy without the page. */
  HarpServing withoutPage() {
    return new HarpServing(port, pingInterval, maxUnsentBytes, listener, certificate, false);
  }

  /**
   * Returns where HARP is served.
   *
   * @param rest the listener of REST
   */
  ListenerOptions beside(ListenerOptions rest) {
    return listener
        .map(on -> on.withPort(port))
        .map(
            on ->
                certificate
                    .map(ServerCertificate::keys)
                    .or(rest::certificate)
                    .map(on::withCertificate)
                    .orElse(on))
        .orElseGet(() -> rest.withPort(port).withoutPublicUrl());
  }
}
