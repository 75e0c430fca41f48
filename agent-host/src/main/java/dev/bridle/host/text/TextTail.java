package dev.bridle.host.text;

import java.nio.charset.StandardCharsets;

/** The last bytes of a text that may be endless. Thread-safe. */
public final class TextTail {
  /** Stands for a line that has lost its beginning. */
  public static final String CUT = "(a line that is not whole)";

  private final byte[] ring;
  private long written;

  /** Keeps so many bytes. */
  public TextTail(int bytes) {
    this.ring = new byte[bytes];
  }

  /** Appends bytes. */
  public synchronized void append(byte[] bytes, int from, int length) {
    int skipped = Math.max(0, length - ring.length);
    written += skipped;
    for (int i = from + skipped; i < from + length; i++) {
      ring[(int) (written++ % ring.length)] = bytes[i];
    }
  }

  /** How many bytes were appended, kept or not. */
  public synchronized long written() {
    return written;
  }

  /**
   * Returns the text, of one that is longer than what is kept with {@link #CUT} for the line that
   * has lost its beginning: a secret there could not be told from other text.
   */
  public synchronized String wholeLines() {
    String text = text();
    if (written <= ring.length) {
      return text;
    }
    int end = text.indexOf('\n');
    return end < 0 ? CUT : CUT + text.substring(end);
  }

  /**
   * Returns what is kept, as UTF-8, beginning with a whole character. It is the other side's text:
   * whoever shows it makes control characters visible.
   */
  public synchronized String text() {
    int kept = (int) Math.min(written, ring.length);
    byte[] bytes = new byte[kept];
    for (int i = 0; i < kept; i++) {
      bytes[i] = ring[(int) ((written - kept + i) % ring.length)];
    }
    int start = 0;
    while (written > kept && start < kept && (bytes[start] & 0xC0) == 0x80) {
      start++;
    }
    return new String(bytes, start, kept - start, StandardCharsets.UTF_8);
  }
}
