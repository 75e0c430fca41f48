package dev.bridle.benchmarks.flood;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * One HTTP/2 connection with many streams, each with a body that does not end; as much of them is
 * sent as the server's flow control lets in. Streams that the server ended are opened again, and so
 * is the connection, some time later.
 */
final class Http2Streams implements Attacker {
  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final int WINDOW = 65_535;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int PIECE = 2048;
  private static final int READ_MILLIS = 10;
  private static final int MOST_STREAMS = 1 << 28;

  private final String name;
  private final InetSocketAddress server;
  private final int streams;
  private final StreamOpening opening;
  private final Map<String, Integer> seen = new TreeMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile long pauseNanos;
  private long sentBytes;
  // Of the connection that is open now: bytes that each stream has sent, by its id.
  private final Map<Integer, Integer> bodies = new TreeMap<>();
  private long window;
  private int streamWindow;
  private int nextStream;

  /**
   * @param streams how many streams are opened at once
   * @param opening what each of them sends first
   */
  Http2Streams(String name, InetSocketAddress server, int streams, StreamOpening opening) {
    this.name = name;
    this.server = server;
    this.streams = streams;
    this.opening = opening;
    this.thread = new Thread(this::run, name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start(Duration pause) {
    pauseNanos = pause.toNanos();
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public synchronized String outcome() {
    return name + ": " + bodies.size() + " streams begun; " + seen + ", sent MB " + sentBytes / 1e6;
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.joinUninterruptibly(thread);
  }

  private void run() {
    while (!closed) {
      try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
        socket.setSoTimeout(READ_MILLIS);
        socket.setTcpNoDelay(true);
        converse(socket);
      } catch (IOException e) {
        count("connection closed");
      }
      for (long end = System.nanoTime() + pauseNanos; !closed && System.nanoTime() < end; ) {
        LockSupport.parkNanos(Duration.ofMillis(READ_MILLIS).toNanos());
      }
    }
  }

  private void converse(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    FrameInput in = new FrameInput(socket.getInputStream());
    synchronized (this) {
      bodies.clear();
    }
    window = WINDOW;
    streamWindow = WINDOW;
    nextStream = 1;
    out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    out.write(new Frame(Frame.SETTINGS, 0, 0, new byte[0]).bytes());
    count("connections");
    while (!closed && nextStream < MOST_STREAMS) {
      open(out);
      send(out);
      for (var frame = in.next(); frame.isPresent(); frame = in.next()) {
        if (!take(out, frame.get())) {
          return;
        }
      }
    }
  }

  private synchronized void open(OutputStream out) throws IOException {
    while (bodies.size() < streams) {
      out.write(new Frame(Frame.HEADERS, Frame.END_HEADERS, nextStream, opening.headers()).bytes());
      bodies.put(nextStream, 0);
      nextStream += 2;
    }
  }

  /** Sends each stream a piece while the windows are open. */
  private synchronized void send(OutputStream out) throws IOException {
    for (var body : bodies.entrySet()) {
      if (window < PIECE) {
        return;
      }
      if (body.getValue() + PIECE <= streamWindow) {
        byte[] piece =
            body.getValue() == 0 ? Arrays.copyOf(opening.start(), PIECE) : new byte[PIECE];
        out.write(new Frame(Frame.DATA, 0, body.getKey(), piece).bytes());
        body.setValue(body.getValue() + PIECE);
        window -= PIECE;
        sentBytes += PIECE;
      }
    }
  }

  private synchronized boolean take(OutputStream out, Frame frame) throws IOException {
    switch (frame.type()) {
      case Frame.SETTINGS, Frame.PING -> {
        if (frame.flags() != Frame.ACK) {
          if (frame.type() == Frame.SETTINGS) {
            settings(ByteBuffer.wrap(frame.payload()));
          }
          byte[] payload = frame.type() == Frame.PING ? frame.payload() : new byte[0];
          out.write(new Frame(frame.type(), Frame.ACK, 0, payload).bytes());
        }
      }
      case Frame.WINDOW_UPDATE -> {
        if (frame.stream() == 0) {
          window += ByteBuffer.wrap(frame.payload()).getInt();
        }
      }
      case Frame.RST_STREAM -> {
        bodies.remove(frame.stream());
        seen.merge("streams reset", 1, Integer::sum);
      }
      case Frame.HEADERS -> seen.merge("streams answered", 1, Integer::sum);
      case Frame.GOAWAY -> {
        seen.merge("closed by GOAWAY", 1, Integer::sum);
        return false;
      }
      default -> {
        // The bodies of answers.
      }
    }
    return true;
  }

  private synchronized void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  private void settings(ByteBuffer settings) {
    while (settings.hasRemaining()) {
      int name = settings.getShort();
      int value = settings.getInt();
      if (name == INITIAL_WINDOW_SIZE) {
        streamWindow = value;
      }
    }
  }
}
