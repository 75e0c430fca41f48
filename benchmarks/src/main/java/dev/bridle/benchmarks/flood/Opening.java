package dev.bridle.benchmarks.flood;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a connection sends before it falls silent.
 *
 * @param head is sent first
 * @param awaitsAnswer whether the rest waits for the server's answer to the head, as an upgrade
 *     does
 * @param piece is sent again and again afterwards
 * @param times how often
 * @param deaf whether it goes on sending once it is answered
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record Opening(byte[] head, boolean awaitsAnswer, byte[] piece, int times, boolean deaf) {
  static final String VERSION = "agents-protocol-2026-04-25";

  /** The longest body that a server takes by default. */
  private static final int BODY = 1 << 20;

  private static final int PIECE = 64 << 10;
  private static final int FRAGMENT = 4096;
  private static final int DATA = 16 << 10;
  private static final String SESSIONS = "POST /v1/sessions HTTP/1.1";
  private static final String JSON = "Content-Type: application/json";

  /** A body of the greatest length, of which the last byte is missing. */
  static Opening unfinished(String credentials) {
    String head = lines(SESSIONS, credentials, JSON, "Content-Length: " + BODY);
    return new Opening(
        ascii(head + " ".repeat(PIECE - 1)),
        false,
        ascii(" ".repeat(PIECE)),
        BODY / PIECE - 1,
        false);
  }

  /** A body of chunks of one byte each, without an end. */
  static Opening tinyChunks(String credentials) {
    String head = lines(SESSIONS, credentials, JSON, "Transfer-Encoding: chunked");
    return new Opening(
        ascii(head), false, ascii("1\r\n \r\n".repeat(1024)), BODY / 1024 - 1, false);
  }

  /** The same, which goes on for ever, whatever the server answers. */
  static Opening endlessChunks(String credentials) {
    Opening chunks = tinyChunks(credentials);
    return new Opening(chunks.head(), false, chunks.piece(), Integer.MAX_VALUE, true);
  }

  /** An unfinished body where no credentials are asked for. */
  static Opening open(String path, String contentType, int length) {
    String head =
        lines(
            "POST " + path + " HTTP/1.1",
            "Content-Type: " + contentType,
            "Content-Length: " + length);
    return alone(head + " ".repeat(length - 1));
  }

  /** The head of a request with a body, and no body. */
  static Opening headAlone(String credentials) {
    return alone(lines(SESSIONS, credentials, JSON, "Content-Length: 99"));
  }

  /** A head that does not end. */
  static Opening halfHead() {
    return alone(SESSIONS + "\r\nHost: localhost\r\nX-Header: ");
  }

  /** Nothing at all. */
  static Opening silence() {
    return alone("");
  }

  /** A WebSocket message in fragments, of which the last is missing. */
  static Opening fragments(String credentials) {
    String head =
        lines(
            "GET /v1/events/stream HTTP/1.1",
            credentials,
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==");
    // An empty text that is not final, and what continues it; all masked by zeros.
    byte[] first = {0x01, (byte) 0x80, 0, 0, 0, 0};
    byte[] next = new byte[8 + FRAGMENT];
    next[1] = (byte) (0x80 | 126);
    next[2] = (byte) (FRAGMENT >> 8);
    int count = BODY / FRAGMENT - 1;
    byte[] all = new byte[first.length + next.length * count];
    System.arraycopy(first, 0, all, 0, first.length);
    for (int i = 0; i < count; i++) {
      System.arraycopy(next, 0, all, first.length + i * next.length, next.length);
    }
    return new Opening(ascii(head), true, all, 1, false);
  }

  /** A large message of a gRPC call in a stream of its own, of which the last byte is missing. */
  static Opening grpc(String method) {
    StreamOpening stream = StreamOpening.grpc(method, Optional.empty());
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(ascii(Http2Streams.PREFACE));
    head.writeBytes(new Frame(Frame.SETTINGS, 0, 0, new byte[0]).bytes());
    // The server's settings are on their way; acknowledged, they let in more than 64 KiB.
    head.writeBytes(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]).bytes());
    head.writeBytes(new Frame(Frame.HEADERS, Frame.END_HEADERS, 1, stream.headers()).bytes());
    head.writeBytes(new Frame(Frame.DATA, 0, 1, stream.start()).bytes());
    byte[] piece = new Frame(Frame.DATA, 0, 1, new byte[DATA]).bytes();
    return new Opening(head.toByteArray(), false, piece, BODY / DATA - 1, true);
  }

  /** The preface of HTTP/2, and no call. */
  static Opening preface() {
    return new Opening(ascii(Http2Streams.PREFACE), false, new byte[0], 0, true);
  }

  private static Opening alone(String text) {
    return new Opening(ascii(text), false, new byte[0], 0, false);
  }

  private static String lines(String first, String... others) {
    StringBuilder head = new StringBuilder(first);
    head.append("\r\nHost: localhost\r\nHarn-Agents-Protocol-Version: ")
        .append(VERSION)
        .append("\r\n");
    for (String line : others) {
      if (!line.isEmpty()) {
        head.append(line).append("\r\n");
      }
    }
    return head.append("\r\n").toString();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
