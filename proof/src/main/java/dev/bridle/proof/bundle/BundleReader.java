package dev.bridle.proof.bundle;

import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Reads JSON Lines with receipts, one line at a time. A line is a receipt, a receipt resource of
 * the REST API, whose member {@code wire.payload} is the receipt, or a typed line of a bundle:
 * {@code {"type":"receipt","receipt":{…}}}, {@code {"type":"key_set","key_set":{"keys":[…]}}},
 * {@code {"type":"header",…}}, how far a chain reaches ({@code chain}), the end of an export
 * ({@code end}), or one of evidence. Holds at most one line in memory, which has {@value
 * #MAX_LINE_BYTES} bytes if nothing else is said. Not thread-safe.
 */
public final class BundleReader implements Closeable {
  /** The most bytes of a line: the largest receipt, and what may be around it. */
  public static final int MAX_LINE_BYTES = StrictJson.MAX_BYTES + (64 << 10);

  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] LINE_FEED = {'\n'};

  private final InputStream in;
  private final int maxLineBytes;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private final RunningSha256 read = new RunningSha256();
  private Sha256 before = Sha256.of();
  private int end;
  private long number;

  /** Reads a stream of receipts, which is closed with the reader. */
  public BundleReader(InputStream in) {
    this(in, MAX_LINE_BYTES);
  }

  /**
   * Reads a stream, which is closed with the reader.
   *
   * @param maxLineBytes the most bytes of a line
   */
  public BundleReader(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * Reads a document that is not divided into lines: a receipt, a resource or a typed object.
   *
   * @throws IOException if the stream can't be read
   */
  public static BundleLine readDocument(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_LINE_BYTES + 1);
    return bytes.length > MAX_LINE_BYTES
        ? LineParser.tooLong(0, MAX_LINE_BYTES)
        : LineParser.parse(0, bytes);
  }

  /**
   * Returns the next line that is not blank; empty at the end.
   *
   * @throws IOException if the stream can't be read
   */
  public Optional<BundleLine> next() throws IOException {
    while (fill()) {
      number++;
      before = read.soFar();
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      boolean isTooLong = !readLine(line);
      if (isTooLong) {
        return Optional.of(LineParser.tooLong(number, maxLineBytes));
      }
      byte[] bytes = line.toByteArray();
      if (!isBlank(bytes)) {
        return Optional.of(LineParser.parse(number, bytes));
      }
    }
    return Optional.empty();
  }

  /** Reads up to the end of a line, and returns whether all of it is kept. */
  private boolean readLine(ByteArrayOutputStream line) throws IOException {
    boolean fits = true;
    while (fill()) {
      int begin = position;
      while (position < end && buffer[position] != '\n') {
        position++;
      }
      read.add(buffer, begin, position - begin);
      fits &= line.size() + position - begin <= maxLineBytes;
      if (fits) {
        line.write(buffer, begin, position - begin);
      }
      if (position < end) {
        position++;
        break;
      }
    }
    read.add(LINE_FEED, 0, 1);
    return fits;
  }

  /** Returns the hash of all lines before the one that was returned last, each with a line feed. */
  public Sha256 before() {
    return before;
  }

  /** Returns whether there are bytes that were not read yet. */
  private boolean fill() throws IOException {
    if (position < end) {
      return true;
    }
    position = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  private static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && each != '\t' && each != '\r') {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
