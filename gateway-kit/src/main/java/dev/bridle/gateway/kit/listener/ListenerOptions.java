package dev.bridle.gateway.kit.listener;

import dev.bridle.connection.ConnectionLimits;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Where a gateway listens and what it grants every connection. Create them with {@link #defaults()}
 * and the {@code with…} methods.
 *
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param publicUrl the base URL at which clients reach the gateway; if absent, the one that it
 *     listens on
 * @param requestTimeout the timeout of a request, or of a stream's first message
 * @param connections the bounds of open connections; further ones are closed at once, and those
 *     without a request in time
 * @param shutdownTimeout the time that closing waits for running requests
 * @param allowedOrigins the origins whose pages may call the gateway, read streams and open
 *     WebSockets, in addition to the gateway's own; {@code *} for any
 * @param allowedHosts the names, beside those of this machine and of {@code publicUrl}, by which
 *     requests may name a listener that only this machine reaches
 * @param certificate the certificate and key of TLS, asked for at each handshake; if absent, the
 *     listener speaks plaintext
 */
public record ListenerOptions(
    String host,
    int port,
    Optional<URI> publicUrl,
    Duration requestTimeout,
    ConnectionLimits connections,
    Duration shutdownTimeout,
    Set<String> allowedOrigins,
    Set<String> allowedHosts,
    Optional<X509ExtendedKeyManager> certificate) {

  /** By default, only programs on the same machine can reach a gateway. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** The protocol's port for local servers. */
  public static final int DEFAULT_PORT = 8080;

  /** Bounds how long a caller waits for a response. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /** Keeps the number of open files below the usual limit of a process. */
  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;

  /** One address can't take more than a tenth of all connections. */
  public static final int DEFAULT_MAX_CONNECTIONS_PER_ADDRESS = DEFAULT_MAX_CONNECTIONS / 10;

  /** Bounds the duration of a shutdown. */
  public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  /** Rejects invalid values. */
  public ListenerOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port is " + port + "; expected 0 to 65535");
    }
    if (requestTimeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "requestTimeout is " + requestTimeout + "; expected at least a millisecond");
    }
    if (shutdownTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "shutdownTimeout is " + shutdownTimeout + "; expected none or a positive one");
    }
    allowedOrigins = Set.copyOf(allowedOrigins);
    allowedHosts = Set.copyOf(allowedHosts);
  }

  /** Returns the default options. */
  public static ListenerOptions defaults() {
    return new ListenerOptions(
        DEFAULT_HOST,
        DEFAULT_PORT,
        Optional.empty(),
        DEFAULT_REQUEST_TIMEOUT,
        ConnectionLimits.of(DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_CONNECTIONS_PER_ADDRESS),
        DEFAULT_SHUTDOWN_TIMEOUT,
        Set.of(),
        Set.of(),
        Optional.empty());
  }

  /** Returns a copy that listens elsewhere. */
  public ListenerOptions withAddress(String otherHost, int otherPort) {
    return new ListenerOptions(
        otherHost,
        otherPort,
        publicUrl,
        requestTimeout,
        connections,
        shutdownTimeout,
        allowedOrigins,
        allowedHosts,
        certificate);
  }

  /** Returns a copy with another {@code port}. */
  public ListenerOptions withPort(int other) {
    return withAddress(host, other);
  }

  /** Returns a copy with another {@code publicUrl}. */
  public ListenerOptions withPublicUrl(URI url) {
    return new ListenerOptions(
        host,
        port,
        Optional.of(url),
        requestTimeout,
        connections,
        shutdownTimeout,
        allowedOrigins,
        allowedHosts,
        certificate);
  }

  /** Returns a copy whose links have the address that it listens on; it answers to both names. */
  public ListenerOptions withoutPublicUrl() {
    Set<String> hosts = new HashSet<>(allowedHosts);
    publicUrl.map(URI::getHost).ifPresent(hosts::add);
    return new ListenerOptions(
        host,
        port,
        Optional.empty(),
        requestTimeout,
        connections,
        shutdownTimeout,
        allowedOrigins,
        hosts,
        certificate);
  }

  /** Returns a copy with another {@code requestTimeout}. */
  public ListenerOptions withRequestTimeout(Duration other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        other,
        connections,
        shutdownTimeout,
        allowedOrigins,
        allowedHosts,
        certificate);
  }

  /** Returns a copy with other bounds of connections. */
  public ListenerOptions withConnections(ConnectionLimits other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        requestTimeout,
        other,
        shutdownTimeout,
        allowedOrigins,
        allowedHosts,
        certificate);
  }

  /** Returns a copy with another {@code shutdownTimeout}. */
  public ListenerOptions withShutdownTimeout(Duration other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        requestTimeout,
        connections,
        other,
        allowedOrigins,
        allowedHosts,
        certificate);
  }

  /** Returns a copy with other {@code allowedOrigins}. */
  public ListenerOptions withAllowedOrigins(Set<String> other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        requestTimeout,
        connections,
        shutdownTimeout,
        other,
        allowedHosts,
        certificate);
  }

  /** Returns a copy with other {@code allowedHosts}. */
  public ListenerOptions withAllowedHosts(Set<String> other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        requestTimeout,
        connections,
        shutdownTimeout,
        allowedOrigins,
        other,
        certificate);
  }

  /** Returns a copy that speaks TLS. */
  public ListenerOptions withCertificate(X509ExtendedKeyManager other) {
    return new ListenerOptions(
        host,
        port,
        publicUrl,
        requestTimeout,
        connections,
        shutdownTimeout,
        allowedOrigins,
        allowedHosts,
        Optional.of(other));
  }
}
