package dev.bridle.benchmarks.flood;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A block of HTTP/2 headers as plain literals, which no table needs to know (RFC 7541, 6.2.2). */
final class HpackText {
  private static final int LONG_LENGTH = 127;

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();

  /** Adds a header whose name and value are ASCII. */
  HpackText add(String name, String value) {
    block.write(0);
    text(name);
    text(value);
    return this;
  }

  byte[] bytes() {
    return block.toByteArray();
  }

  private void text(String text) {
    int length = text.length();
    if (length < LONG_LENGTH) {
      block.write(length);
    } else {
      block.write(LONG_LENGTH);
      int rest = length - LONG_LENGTH;
      for (; rest >= 128; rest >>= 7) {
        block.write((rest & 127) | 128);
      }
      block.write(rest);
    }
    block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
