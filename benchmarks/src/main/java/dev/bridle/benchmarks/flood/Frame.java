package dev.bridle.benchmarks.flood;

import java.nio.ByteBuffer;

/** A frame of HTTP/2 (RFC 9113, 4.1). */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record Frame(int type, int flags, int stream, byte[] payload) {
  static final int HEAD = 9;
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int ACK = 1;
  static final int END_HEADERS = 4;

  byte[] bytes() {
    ByteBuffer frame = ByteBuffer.allocate(HEAD + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return frame.array();
  }
}
