package dev.bridle.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jline.utils.NonBlockingReader;

/**
 * The keys that a person types, as UTF-16. A read of a terminal can't be interrupted, so a thread
 * of its own reads, and who waits for a key can stop waiting. It reads one byte at a time: nothing
 * but the last one is then on its way, unseen by {@link #drain}. One thread at a time may read.
 */
final class Keys extends NonBlockingReader {
  private static final long LOOK_MILLIS = 100;

  /** How long a byte may be on its way from the system's terminal. */
  private static final long ON_ITS_WAY_MILLIS = 50;

  /** More stay with the system's terminal, which then takes no more. */
  private static final int MOST = 64 << 10;

  private final InputStream terminal;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final ByteBuffer bytes = ByteBuffer.allocate(8);
  private final CharBuffer units = CharBuffer.allocate(8);

  private final BlockingQueue<Integer> typed = new LinkedBlockingQueue<>(MOST);
  private final AtomicBoolean reading = new AtomicBoolean();

  /** The key that was looked at, and comes next. */
  private int ahead = READ_EXPIRED;

  private volatile BooleanSupplier waits = () -> true;

  Keys(InputStream terminal) {
    this.terminal = terminal;
  }

  /** A read that finds no key ends with {@link InterruptedIOException} once this says no. */
  void whileWaiting(BooleanSupplier someoneWaits) {
    waits = someoneWaits;
  }

  private void readBytes() {
    try {
      try {
        for (int next = terminal.read(); next >= 0; next = terminal.read()) {
          add((byte) next);
        }
      } catch (IOException e) {
        // As at its end.
      }
      typed.put(EOF);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(byte next) throws InterruptedException {
    bytes.put(next).flip();
    var unused = decoder.decode(bytes, units, false);
    bytes.compact();
    units.flip();
    while (units.hasRemaining()) {
      typed.put((int) units.get());
    }
    units.clear();
  }

  /** Returns a unit of UTF-16, {@link #EOF} or {@link #READ_EXPIRED}; without a time it waits. */
  @Override
  protected int read(long millis, boolean isPeek) throws IOException {
    long until = System.nanoTime() + millis * 1_000_000;
    while (true) {
      int key = next(isPeek, millis <= 0 ? LOOK_MILLIS : Math.min(millis, LOOK_MILLIS));
      if (key != READ_EXPIRED) {
        return key;
      }
      if (!waits.getAsBoolean()) {
        throw new InterruptedIOException("nobody waits for a key");
      }
      if (millis > 0 && System.nanoTime() - until >= 0) {
        return READ_EXPIRED;
      }
    }
  }

  private int next(boolean isPeek, long millis) throws InterruptedIOException {
    start();
    if (ahead == READ_EXPIRED) {
      try {
        Integer key = typed.poll(millis, TimeUnit.MILLISECONDS);
        ahead = key == null ? READ_EXPIRED : key;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
    }
    int key = ahead;
    if (!isPeek && key != EOF) { // The end stays.
      ahead = READ_EXPIRED;
    }
    return key;
  }

  private void start() {
    if (reading.compareAndSet(false, true)) {
      Thread thread = new Thread(this::readBytes, "bridle-run-keys");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public int readBuffered(char[] into, int from, int most, long millis) throws IOException {
    int key = read(millis, false);
    if (key < 0 || most == 0) {
      return key;
    }
    into[from] = (char) key;
    int count = 1;
    while (count < most && typed.peek() != null && typed.peek() != EOF) {
      into[from + count] = (char) typed.remove().intValue();
      count++;
    }
    return count;
  }

  /** Takes all that was typed until now. */
  String drain() throws IOException {
    StringBuilder all = new StringBuilder();
    int key = read(ON_ITS_WAY_MILLIS, false);
    while (key >= 0 || (key == READ_EXPIRED && terminal.available() > 0)) {
      if (key >= 0) {
        all.append((char) key);
      }
      key = read(ON_ITS_WAY_MILLIS, false);
    }
    return all.toString();
  }
}
