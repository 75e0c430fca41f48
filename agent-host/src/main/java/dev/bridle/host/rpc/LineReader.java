package dev.bridle.host.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a stream into lines. A line over the limit passes through without being kept, except for
 * its beginning, so that a stream without a single line break costs no more memory than the limit.
 * For one thread.
 */
final class LineReader {
  private static final int CHUNK = 64 * 1024;
  private static final int SMALL = 8 * 1024;

  private final InputStream in;
  private final int limit;
  private final byte[] chunk = new byte[CHUNK];
  private int from;
  private int to;

  private byte[] line = new byte[SMALL];
  private int kept;
  private long length;

  LineReader(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /** A line without its line break: whole, or the first bytes of one over the limit. */
  static final class Line {
    private final byte[] bytes;
    private final long length;

    private Line(byte[] bytes, long length) {
      this.bytes = bytes;
      this.length = length;
    }

    byte[] bytes() {
      return bytes;
    }

    boolean whole() {
      return bytes.length == length;
    }
  }

  /** Waits for a line. Empty at the end of the stream. */
  Optional<Line> next() throws IOException {
    while (true) {
      if (from == to && !fill()) {
        return length == 0 ? Optional.empty() : Optional.of(take());
      }
      int end = lineBreak();
      keep(end < 0 ? to : end);
      if (end >= 0) {
        from = end + 1;
        return Optional.of(take());
      }
      from = to;
    }
  }

  private boolean fill() throws IOException {
    int read = in.read(chunk, 0, CHUNK);
    from = 0;
    to = Math.max(read, 0);
    return read > 0;
  }

  private int lineBreak() {
    for (int i = from; i < to; i++) {
      if (chunk[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void keep(int end) {
    int more = end - from;
    length += more;
    if (length > limit) {
      if (line.length > SMALL) {
        line = Arrays.copyOf(line, SMALL);
      }
      int room = Math.min(more, SMALL - Math.min(kept, SMALL));
      System.arraycopy(chunk, from, line, Math.min(kept, SMALL), room);
      kept = Math.min(kept, SMALL) + room;
      return;
    }
    if (kept + more > line.length) {
      line = Arrays.copyOf(line, (int) Math.min(limit, Math.max(kept + more, line.length * 2L)));
    }
    System.arraycopy(chunk, from, line, kept, more);
    kept += more;
  }

  private Line take() {
    Line taken = new Line(Arrays.copyOf(line, kept), length);
    if (line.length > CHUNK) {
      line = new byte[SMALL];
    }
    kept = 0;
    length = 0;
    return taken;
  }
}
