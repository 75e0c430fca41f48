package dev.bridle.cli.flood;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections that send the beginning of something and then wait, all on one thread. */
final class Flood implements AutoCloseable {
  private final Selector selector;
  private final List<SocketChannel> connections = new ArrayList<>();
  private final Thread reader;
  private final AtomicInteger open = new AtomicInteger();

  private Flood(Selector selector) {
    this.selector = selector;
    this.reader = new Thread(this::read, "flood");
    reader.setDaemon(true);
  }

  /** Opens connections, each of which sends the next of the beginnings. */
  static Flood open(int port, int count, List<String> beginnings) throws IOException {
    Flood flood = new Flood(Selector.open());
    for (int i = 0; i < count; i++) {
      flood.connect(port, beginnings.get(i % beginnings.size()));
    }
    flood.open.set(flood.connections.size());
    flood.reader.start();
    return flood;
  }

  private void connect(int port, String beginning) throws IOException {
    SocketChannel connection =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    connections.add(connection);
    try {
      connection.write(ByteBuffer.wrap(beginning.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      // The server has closed it, which the reader finds as well.
    }
    connection.configureBlocking(false);
    connection.register(selector, SelectionKey.OP_READ);
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    try {
      while (open.get() > 0) {
        selector.select(
            key -> {
              if (!hasMore((SocketChannel) key.channel(), buffer)) {
                key.cancel();
                open.decrementAndGet();
              }
            });
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasMore(SocketChannel connection, ByteBuffer buffer) {
    try {
      return connection.read(buffer.clear()) >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns how many connections the server has not closed. */
  int openConnections() {
    return open.get();
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel each : connections) {
      each.close();
    }
    selector.close();
  }
}
