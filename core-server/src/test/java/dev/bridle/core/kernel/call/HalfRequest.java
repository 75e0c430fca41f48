package dev.bridle.core.kernel.call;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * A gRPC call on a connection of its own, written frame by frame (RFC 9113): all of its message but
 * the last byte, as no gRPC client sends one.
 */
final class HalfRequest implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END = 1;
  private static final int END_HEADERS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int MAX_FRAME = 16_384;
  private static final int STREAM = 1;

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private final int message;
  private final CompletableFuture<String> closed = new CompletableFuture<>();
  private long connectionWindow = 65_535;
  private long streamWindow = 65_535;
  private long initialWindow = 65_535;

  private HalfRequest(Socket socket, int message) throws IOException {
    this.socket = socket;
    this.message = message;
    this.out = new DataOutputStream(socket.getOutputStream());
    this.in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Begins a call.
   *
   * @param path of the method
   * @param message the size of its message
   */
  static HalfRequest begin(int port, String path, int message) throws IOException {
    HalfRequest request =
        new HalfRequest(new Socket(InetAddress.getLoopbackAddress(), port), message);
    request.head(path);
    run("half-request-read", request::read);
    run("half-request-write", request::body);
    return request;
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void run(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException e) {
                // The connection has ended, which the reader reports.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Completes once the server has closed the call, with how. */
  CompletableFuture<String> closed() {
    return closed;
  }

  private void head(String path) throws IOException {
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0], 0);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "POST");
    field(block, ":scheme", "http");
    field(block, ":path", path);
    field(block, ":authority", "localhost");
    field(block, "content-type", "application/grpc");
    field(block, "te", "trailers");
    frame(HEADERS, END_HEADERS, STREAM, block.toByteArray(), block.size());
    byte[] prefix = {0, (byte) (message >> 24), (byte) (message >> 16), (byte) (message >> 8), 0};
    prefix[4] = (byte) message;
    frame(DATA, 0, STREAM, prefix, prefix.length);
    connectionWindow -= prefix.length;
    streamWindow -= prefix.length;
  }

  /** A literal field without indexing (RFC 7541, 6.2.2). */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void body() throws IOException, InterruptedException {
    byte[] bytes = new byte[MAX_FRAME];
    for (int left = message - 1; left > 0; ) {
      int length = (int) Math.min(Math.min(left, MAX_FRAME), room());
      frame(DATA, 0, STREAM, bytes, length);
      left -= length;
    }
  }

  /** Waits until some bytes may be sent, and takes what a frame may need of them. */
  private synchronized long room() throws InterruptedException {
    while (Math.min(connectionWindow, streamWindow) <= 0) {
      wait();
    }
    long room = Math.min(MAX_FRAME, Math.min(connectionWindow, streamWindow));
    connectionWindow -= room;
    streamWindow -= room;
    return room;
  }

  /** Sends the last byte. */
  void end() throws IOException {
    frame(DATA, END, STREAM, new byte[1], 1);
  }

  private void frame(int type, int flags, int stream, byte[] payload, int length)
      throws IOException {
    synchronized (out) {
      out.writeByte(length >> 16);
      out.writeShort(length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload, 0, length);
      out.flush();
    }
  }

  private void read() throws IOException {
    try {
      while (true) {
        int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(length);
        if (stream == STREAM && type == RST_STREAM) {
          closed.complete("reset");
        } else if (stream == STREAM && type == HEADERS && (flags & END) != 0) {
          closed.complete("answered");
        } else if (type == WINDOW_UPDATE) {
          grown(stream, number(payload, 0));
        } else if (type == SETTINGS && (flags & END) == 0) {
          settings(payload);
          frame(SETTINGS, END, 0, new byte[0], 0);
        }
      }
    } finally {
      closed.complete("connection lost");
    }
  }

  private synchronized void grown(int stream, long more) {
    if (stream == 0) {
      connectionWindow += more;
    } else {
      streamWindow += more;
    }
    notifyAll();
  }

  private synchronized void settings(byte[] payload) {
    for (int at = 0; at + 6 <= payload.length; at += 6) {
      if (((payload[at] << 8) | payload[at + 1]) == INITIAL_WINDOW_SIZE) {
        streamWindow += number(payload, at + 2) - initialWindow;
        initialWindow = number(payload, at + 2);
      }
    }
    notifyAll();
  }

  private static long number(byte[] from, int at) {
    long number = 0;
    for (int i = 0; i < 4; i++) {
      number = (number << 8) | (from[at + i] & 0xff);
    }
    return number;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
