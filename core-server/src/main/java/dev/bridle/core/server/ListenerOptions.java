package dev.bridle.core.server;

import dev.bridle.connection.ConnectionLimits;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * How calls are taken.
 *
 * @param host the address that the gRPC listener binds to
 * @param grpcPort the port of the gRPC listener; 0: any free one
 * @param threads how many calls run at once
 * @param maxQueuedCalls how many calls wait for a thread before others are rejected
 * @param connections the bounds of connections on the gRPC listener, where calls with a credential
 *     count
 * @param maxPendingBytes how many bytes of requests may be under way on the gRPC listener, half of
 *     them of one tenant
 * @param drainTime how long calls under way may take once the server stops
 * @param certificate the certificate and key of TLS, asked for at each handshake; if absent, the
 *     gRPC listener speaks plaintext
 */
public record ListenerOptions(
    String host,
    int grpcPort,
    int threads,
    int maxQueuedCalls,
    ConnectionLimits connections,
    long maxPendingBytes,
    Duration drainTime,
    Optional<X509ExtendedKeyManager> certificate) {
  /** The maximum number of open connections, each of a worker or a command. */
  public static final int DEFAULT_MAX_CONNECTIONS = 2000;

  /** Workers behind one address are not bounded by it once they have authenticated. */
  private static final ConnectionLimits CONNECTIONS =
      new ConnectionLimits(
          DEFAULT_MAX_CONNECTIONS,
          Integer.MAX_VALUE,
          256,
          64,
          ConnectionLimits.DEFAULT_FIRST_CALL_TIME);

  /** The loopback address, port 9090, with as many threads as pay on this machine. */
  public static final ListenerOptions DEFAULT =
      new ListenerOptions(
          "127.0.0.1",
          9090,
          threadsFor(Runtime.getRuntime().availableProcessors()),
          10_000,
          CONNECTIONS,
          32L << 20,
          Duration.ofSeconds(5),
          Optional.empty());

  /**
   * Returns how many calls run at once on so many processors. Most of them wait for a commit, which
   * takes all that wait at once, so far more than processors pay; beyond 16 for each they only take
   * time from one another, as TaskBenchmark shows.
   */
  static int threadsFor(int processors) {
    return Math.max(32, 16 * processors);
  }

  ListenerOptions at(String address, int port) {
    return new ListenerOptions(
        address,
        port,
        threads,
        maxQueuedCalls,
        connections,
        maxPendingBytes,
        drainTime,
        certificate);
  }

  ListenerOptions with(ConnectionLimits limits) {
    return new ListenerOptions(
        host, grpcPort, threads, maxQueuedCalls, limits, maxPendingBytes, drainTime, certificate);
  }

  ListenerOptions with(long pendingBytes) {
    return new ListenerOptions(
        host, grpcPort, threads, maxQueuedCalls, connections, pendingBytes, drainTime, certificate);
  }

  ListenerOptions with(X509ExtendedKeyManager other) {
    return new ListenerOptions(
        host,
        grpcPort,
        threads,
        maxQueuedCalls,
        connections,
        maxPendingBytes,
        drainTime,
        Optional.of(other));
  }
}
