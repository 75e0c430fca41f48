package dev.bridle.gateway;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A WebSocket byte by byte, for frames that no client sends. */
final class RawSocket implements AutoCloseable {

  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;
  static final int LAST = 0x80;

  /** One frame that came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int opcode, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    int closeCode() {
      return payload.length < 2 ? 1005 : ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
    }
  }

  private final Socket socket = new Socket();
  private final DataInputStream in;

  RawSocket(GatewayFixture fixture, String path) throws IOException {
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.gateway.port()));
    socket.setSoTimeout(10_000);
    in = new DataInputStream(socket.getInputStream());
    write(
        ("GET "
                + path
                + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Authorization: Bearer key-1\r\nHarn-Agents-Protocol-Version: "
                + GatewayFixture.VERSION
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readByte());
    }
    if (!head.toString().startsWith("HTTP/1.1 101")) {
      throw new IOException(head.toString());
    }
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Writes a frame as a client has to: masked, and as long as it says. */
  void frame(int first, byte[] payload) throws IOException {
    write(bytes(first, payload));
  }

  void text(String text) throws IOException {
    frame(LAST | TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] bytes(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(first);
    if (payload.length < 126) {
      out.write(0x80 | payload.length);
    } else if (payload.length < 1 << 16) {
      out.write(0x80 | 126);
      out.write(payload.length >> 8);
      out.write(payload.length);
    } else {
      out.write(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) payload.length >> shift));
      }
    }
    byte[] mask = {1, 2, 3, 4};
    out.writeBytes(mask);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ mask[i & 3]);
    }
    return out.toByteArray();
  }

  /** The next frame. */
  Frame next() throws IOException {
    int opcode = in.readUnsignedByte() & 0x0F;
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = (int) in.readLong();
    }
    return new Frame(opcode, in.readNBytes(length));
  }

  /** The next text that is no heartbeat, or the closing frame. */
  Frame word() throws IOException {
    Frame frame = next();
    while (frame.opcode() > CLOSE || frame.text().contains("\"heartbeat\"")) {
      frame = next();
    }
    return frame;
  }

  /** Reads to the end; the code of the closing frame, or -1 where none came. */
  int closeCode() throws IOException {
    try {
      while (true) {
        Frame frame = next();
        if (frame.opcode() == CLOSE) {
          return frame.closeCode();
        }
      }
    } catch (EOFException | SocketException e) {
      return -1;
    }
  }

  /** Whether the other side has closed the connection. */
  boolean ended() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
