package dev.bridle.core.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection of HTTP/2 that is written frame by frame (RFC 9113): a preface, and calls that have
 * headers and no message, as no gRPC client sends them.
 */
final class RawConnection implements AutoCloseable {
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final Socket socket;
  private final DataOutputStream out;
  private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private RawConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /** Connects and sends the preface; a server that has closed meanwhile is no failure. */
  static RawConnection open(int port) throws IOException {
    RawConnection connection =
        new RawConnection(new Socket(InetAddress.getLoopbackAddress(), port));
    Thread reader = new Thread(connection::read, "raw-connection");
    reader.setDaemon(true);
    reader.start();
    try {
      connection.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      connection.frame(SETTINGS, 0, 0, new byte[0]);
    } catch (IOException e) {
      connection.closed.complete(null);
    }
    return connection;
  }

  /** Begins calls of a method that send headers only. */
  void beginCalls(String path, int count) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "POST");
    field(block, ":scheme", "http");
    field(block, ":path", path);
    field(block, ":authority", "localhost");
    field(block, "content-type", "application/grpc");
    field(block, "te", "trailers");
    for (int call = 0; call < count; call++) {
      frame(HEADERS, END_HEADERS, 2 * call + 1, block.toByteArray());
    }
  }

  /** A literal field without indexing (RFC 7541, 6.2.2). */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    synchronized (out) {
      out.writeByte(payload.length >> 16);
      out.writeShort(payload.length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
      out.flush();
    }
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
      while (true) {
        int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        in.skipNBytes(length);
        if (type == RST_STREAM || (type == HEADERS && (flags & END_STREAM) != 0)) {
          ended.add(stream);
        }
      }
    } catch (IOException e) {
      closed.complete(null); // The connection has ended.
    }
  }

  /** Returns how many calls the server has ended. */
  int endedCalls() {
    return ended.size();
  }

  /** Completes once the server has closed the connection. */
  CompletableFuture<Void> closed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
