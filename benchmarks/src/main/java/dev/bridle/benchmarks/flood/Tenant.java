package dev.bridle.benchmarks.flood;

import com.google.common.util.concurrent.MoreExecutors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An honest user of a tenant: reads and makes sessions in turn at a fixed pace, each over a new
 * connection and then over one that is kept. Times run from when a request was due, so that one
 * that waits for others counts.
 */
final class Tenant implements AutoCloseable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 40_000;
  private static final int THREADS = 64;
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final InetSocketAddress server;
  private final String key;
  private final String body;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService requests = Executors.newFixedThreadPool(THREADS);
  private final Deque<Kept> kept = new ArrayDeque<>();
  private final Measured measured = new Measured();
  private int turn;

  private record Kept(Socket socket, long since) {}

  Tenant(InetSocketAddress server, String key, String workspace) {
    this.server = server;
    this.key = key;
    this.body = "{\"workspace_id\":\"" + workspace + "\"}";
  }

  /** Begins to send a request every so many milliseconds. */
  void start(long everyMillis) {
    var unused = clock.scheduleAtFixedRate(this::begin, 0, everyMillis, TimeUnit.MILLISECONDS);
  }

  Measured measured() {
    return measured;
  }

  @Override
  public void close() {
    clock.shutdownNow();
    var unused = MoreExecutors.shutdownAndAwaitTermination(requests, 1, TimeUnit.MINUTES);
    for (Kept one : kept) {
      closeQuietly(one.socket());
    }
  }

  private void begin() {
    long due = System.nanoTime();
    int number = turn++;
    requests.execute(() -> request(due, number % 2 == 0, number / 2 % 2 == 0));
  }

  private void request(long due, boolean read, boolean fresh) {
    String outcome;
    try {
      outcome = send(read, fresh);
    } catch (IOException e) {
      outcome = e.getClass().getSimpleName() + (fresh ? ", new connection" : ", kept connection");
    }
    double millis = (System.nanoTime() - due) / 1e6;
    if (outcome.equals(read ? "200" : "201")) {
      measured.now().answered(millis);
    } else {
      measured.now().failed(outcome);
    }
  }

  private String send(boolean read, boolean fresh) throws IOException {
    Socket socket = fresh ? connect() : take();
    boolean keep = false;
    try {
      socket.getOutputStream().write(request(read, !fresh));
      String status = answer(new BufferedInputStream(socket.getInputStream()));
      keep = !fresh;
      return status;
    } finally {
      if (keep) {
        give(socket);
      } else {
        socket.close();
      }
    }
  }

  private byte[] request(boolean read, boolean keep) {
    String text =
        (read ? "GET /v1/sessions?limit=5" : "POST /v1/sessions")
            + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + key
            + "\r\nHarn-Agents-Protocol-Version: "
            + Opening.VERSION
            + (keep ? "" : "\r\nConnection: close")
            + (read ? "" : "\r\nContent-Type: application/json\r\nContent-Length: " + body.length())
            + "\r\n\r\n"
            + (read ? "" : body);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads an answer to its end, and returns its status. */
  private static String answer(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(lower.indexOf(':') + 1).strip());
      }
    }
    if (in.readNBytes(length).length < length) {
      throw new IOException("the answer broke off");
    }
    return status.split(" ", -1)[1];
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the server closed the connection");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_MILLIS);
    socket.connect(server, CONNECT_MILLIS);
    return socket;
  }

  private Socket take() throws IOException {
    synchronized (kept) {
      while (!kept.isEmpty()) {
        Kept newest = kept.pop();
        if (System.nanoTime() - newest.since() < KEPT_NANOS) {
          return newest.socket();
        }
        closeQuietly(newest.socket());
      }
    }
    return connect();
  }

  private void give(Socket socket) {
    synchronized (kept) {
      kept.push(new Kept(socket, System.nanoTime()));
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
      assert socket.isClosed();
    }
  }
}
