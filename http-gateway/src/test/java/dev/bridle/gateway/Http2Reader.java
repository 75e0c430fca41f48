package dev.bridle.gateway;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An HTTP/2 connection whose streams have no window: no byte of a body may be sent to it. */
final class Http2Reader implements AutoCloseable {
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int ACK = 1;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private final Socket socket;
  private final DataInputStream in;
  private int next = 1;

  Http2Reader(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    write(SETTINGS, 0, 0, NO_WINDOW);
  }

  /** Asks for a path, on a stream of its own. */
  void get(String path, Map<String, String> headers) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "GET");
    field(block, ":scheme", "http");
    field(block, ":authority", "localhost");
    field(block, ":path", path);
    headers.forEach((name, value) -> field(block, name.toLowerCase(Locale.ROOT), value));
    write(HEADERS, END_STREAM_AND_HEADERS, next, block.toByteArray());
    next += 2;
  }

  /** Reads until so many streams have been reset, and returns these. */
  Set<Integer> resets(int count) throws IOException {
    Set<Integer> reset = new TreeSet<>();
    while (reset.size() < count) {
      int head = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      in.skipNBytes(head >>> 8);
      int type = head & 0xFF;
      if (type == RST_STREAM) {
        reset.add(stream);
      } else if (type == SETTINGS && flags != ACK) {
        write(SETTINGS, ACK, 0, new byte[0]);
      }
    }
    return reset;
  }

  /** A literal field that is not indexed, with a name of its own (RFC 7541, section 6.2.2). */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private void write(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      frame.write(stream >> shift);
    }
    frame.writeBytes(payload);
    socket.getOutputStream().write(frame.toByteArray());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
