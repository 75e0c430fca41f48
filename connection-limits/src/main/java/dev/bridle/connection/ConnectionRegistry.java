package dev.bridle.connection;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of one listener. Refuses those beyond its {@link ConnectionLimits}, and logs
 * that at most once a minute. Thread-safe.
 */
public final class ConnectionRegistry {
  private static final Logger log = LoggerFactory.getLogger(ConnectionRegistry.class);
  private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();

  private final String listener;
  private final ConnectionLimits limits;
  private final LongSupplier nanoTime;
  private final Map<Ends, Connection> connections = new ConcurrentHashMap<>();
  private final AddressCounts open = new AddressCounts();
  private final AddressCounts waiting = new AddressCounts();
  private long refused;
  private Optional<Long> loggedAt = Optional.empty();

  /** The two ends of a connection, which no other open one has. */
  private record Ends(SocketAddress remote, SocketAddress local) {}

  /**
   * Creates an empty registry.
   *
   * @param listener the name of the listener in log messages
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public ConnectionRegistry(String listener, ConnectionLimits limits, LongSupplier nanoTime) {
    this.listener = listener;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /** Returns the time after which a connection without a call is to be closed. */
  public Duration firstCallTime() {
    return limits.firstCallTime();
  }

  /**
   * Admits a connection, which then counts until it is released.
   *
   * @param onFirstCall runs at the first call, on the thread that reports it
   * @param close closes it, soon and on another thread
   * @return the connection, or empty if it is beyond a bound and has to be closed
   */
  public synchronized Optional<Connection> admit(
      InetSocketAddress remote, SocketAddress local, Runnable onFirstCall, Runnable close) {
    ClientAddress address = ClientAddress.of(remote.getAddress());
    Optional<String> exceeded = exceeded(address);
    if (exceeded.isPresent()) {
      refused++;
      report(exceeded.get());
      return Optional.empty();
    }
    open.add(address.name());
    waiting.add(address.name());
    Connection connection = new Connection(new Ends(remote, local), address, onFirstCall, close);
    connections.put(connection.ends, connection);
    return Optional.of(connection);
  }

  private Optional<String> exceeded(ClientAddress address) {
    if (open.total() >= limits.maxConnections()) {
      return Optional.of("more than " + limits.maxConnections() + " connections");
    }
    if (waiting.total() >= limits.maxWaiting()) {
      return Optional.of("more than " + limits.maxWaiting() + " connections before a first call");
    }
    if (address.isExempt()) {
      return Optional.empty();
    }
    if (open.of(address.name()) >= limits.maxPerAddress()) {
      return Optional.of("more than " + limits.maxPerAddress() + " connections of one address");
    }
    if (waiting.of(address.name()) >= limits.maxWaitingPerAddress()) {
      return Optional.of(
          "more than "
              + limits.maxWaitingPerAddress()
              + " connections of one address before a first call");
    }
    return Optional.empty();
  }

  private void report(String reason) {
    long now = nanoTime.getAsLong();
    if (loggedAt.isEmpty() || now - loggedAt.get() >= LOG_NANOS) {
      loggedAt = Optional.of(now);
      log.warn(
          "The {} listener refuses connections: {}. Refused so far: {}.",
          listener,
          reason,
          refused);
    }
  }

  /**
   * Reports a call on the connection between two addresses. Connections that are not registered any
   * more are ignored.
   */
  public void called(SocketAddress remote, SocketAddress local) {
    Connection connection = connections.get(new Ends(remote, local));
    if (connection != null) {
      connection.called();
    }
  }

  /**
   * Closes the connection between two addresses, soon. Connections that are not registered any more
   * are ignored.
   */
  public void close(SocketAddress remote, SocketAddress local) {
    Connection connection = connections.get(new Ends(remote, local));
    if (connection != null) {
      connection.close.run();
    }
  }

  /** Returns the number of open connections. */
  public synchronized int openConnections() {
    return open.total();
  }

  /** Returns the number of open connections without a call. */
  public synchronized int waitingConnections() {
    return waiting.total();
  }

  /** Returns how many connections were refused. */
  public synchronized long refusedConnections() {
    return refused;
  }

  private synchronized boolean stopWaiting(Connection connection) {
    if (connection.hasCalled || connection.isReleased) {
      return false;
    }
    connection.hasCalled = true;
    waiting.remove(connection.address.name());
    return true;
  }

  private synchronized void release(Connection connection) {
    if (connection.isReleased) {
      return;
    }
    connection.isReleased = true;
    open.remove(connection.address.name());
    if (!connection.hasCalled) {
      waiting.remove(connection.address.name());
    }
    connections.remove(connection.ends, connection);
  }

  /** An admitted connection. */
  public final class Connection {
    private final Ends ends;
    private final ClientAddress address;
    private final Runnable onFirstCall;
    private final Runnable close;
    private volatile boolean hasCalled;
    private boolean isReleased;

    private Connection(Ends ends, ClientAddress address, Runnable onFirstCall, Runnable close) {
      this.ends = ends;
      this.address = address;
      this.onFirstCall = onFirstCall;
      this.close = close;
    }

    /** Returns whether a call was made on the connection. */
    public boolean hasCalled() {
      return hasCalled;
    }

    private void called() {
      if (!hasCalled && stopWaiting(this)) {
        onFirstCall.run();
      }
    }

    /** Removes the connection, which has been closed; further calls have no effect. */
    public void release() {
      ConnectionRegistry.this.release(this);
    }
  }
}
