package dev.bridle.cli.harp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** A network between a client and a server that loses what a test wants. */
final class LossyProxy implements AutoCloseable {
  private final URI server;
  private final ServerSocket listener;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private final AtomicReference<Optional<String>> unanswered =
      new AtomicReference<>(Optional.empty());

  private LossyProxy(URI server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** Begins to pass on connections to a server. */
  static LossyProxy to(URI server) throws IOException {
    LossyProxy proxy = new LossyProxy(server);
    run(proxy::accept);
    return proxy;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** Passes on nothing more on the connections that are open, and leaves them open. */
  void mute() {
    connections.forEach(connection -> connection.muted = true);
  }

  /** Closes the next connection on which a path is called, once the server has answered. */
  void loseAnswerTo(String path) {
    unanswered.set(Optional.of(path));
  }

  /** Returns whether an answer is yet to be lost. */
  boolean isLosing() {
    return unanswered.get().isPresent();
  }

  private static void run(Step loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException e) {
                // A side has closed its socket, which ends the loop.
              }
            },
            "lossy-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private interface Step {
    void run() throws IOException;
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Connection connection =
          new Connection(listener.accept(), new Socket(server.getHost(), server.getPort()));
      connections.add(connection);
      run(() -> connection.pass(connection.client, connection.server, false));
      run(() -> connection.pass(connection.server, connection.client, true));
    }
  }

  private final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean muted;
    private volatile boolean losing;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void pass(Socket from, Socket to, boolean answers) throws IOException {
      byte[] buffer = new byte[16 << 10];
      try {
        for (int count = from.getInputStream().read(buffer);
            count >= 0;
            count = from.getInputStream().read(buffer)) {
          String text = new String(buffer, 0, count, ISO_8859_1);
          if (!answers && unanswered.get().filter(text::contains).isPresent()) {
            unanswered.set(Optional.empty());
            losing = true;
          }
          if (answers && losing) {
            return;
          }
          if (!muted) {
            to.getOutputStream().write(buffer, 0, count);
          }
        }
      } finally {
        if (!muted) {
          close();
        }
      }
    }

    void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Connection connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
