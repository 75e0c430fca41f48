package dev.bridle.core.kernel.outbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A server on a bare socket of 127.0.0.1, which answers as a test wants it to. */
public final class OddServer implements AutoCloseable {
  /** So slow that no timeout of a test sees the end of an answer. */
  private static final long DRIP_MILLIS = 10;

  private static final Pattern BEGINNING = Pattern.compile("\\AHTTP/1\\.1 [^\r\n]*\r\n");

  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newCachedThreadPool(OddServer::thread);
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile Answerer answerer;

  /** Answers a request on its connection, which is closed after it. */
  @FunctionalInterface
  public interface Answerer {
    void answer(Received request, OutputStream out) throws IOException, InterruptedException;
  }

  /**
   * What came in.
   *
   * @param head the request line and headers
   * @param body what stood below
   */
  public record Received(String head, String body) {
    /** Returns a header's value; empty for none. */
    public String header(String name) {
      return head.lines()
          .skip(1)
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).trim())
          .findFirst()
          .orElse("");
    }
  }

  private OddServer(ServerSocket socket, Answerer answerer) {
    this.socket = socket;
    this.answerer = answerer;
  }

  /** Starts a server on any free port. */
  public static OddServer answering(Answerer answerer) throws IOException {
    return answering(0, answerer);
  }

  /** Starts a server on a port. */
  public static OddServer answering(int port, Answerer answerer) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    OddServer server = new OddServer(socket, answerer);
    server.threads.execute(server::accept);
    return server;
  }

  /** Returns what answers with a status and nothing more. */
  public static Answerer status(int status) {
    return (request, out) -> write(out, "HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n");
  }

  /** Returns what never answers. */
  public static Answerer hanging() {
    return (request, out) -> Thread.currentThread().join();
  }

  /** Returns what begins an answer and sends a byte of it now and then, without end. */
  public static Answerer dripping() {
    return (request, out) -> {
      write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      while (true) {
        write(out, "x"); // Until the other side hangs up, or this server is closed.
        Thread.sleep(DRIP_MILLIS); // Slowness is what is tested: there is nothing to wait for.
      }
    };
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "odd-server");
    thread.setDaemon(true);
    return thread;
  }

  /** Answers otherwise from now on. */
  public void answer(Answerer otherwise) {
    answerer = otherwise;
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** Returns all requests so far. */
  public List<Received> received() {
    return received;
  }

  /**
   * Writes text and sends it off. A beginning of an answer says that the connection ends with it:
   * else a client could send its next request on a connection that is being closed.
   */
  public static void write(OutputStream out, String text) throws IOException {
    out.write(BEGINNING.matcher(text).replaceFirst("$0Connection: close\r\n").getBytes(ISO_8859_1));
    out.flush();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        open.add(connection);
        threads.execute(() -> serve(connection));
      } catch (IOException e) {
        return; // It is closed.
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          return;
        }
        head.append((char) next);
      }
      String length = new Received(head.toString(), "").header("content-length");
      byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
      Received request = new Received(head.toString(), new String(body, UTF_8));
      received.add(request);
      answerer.answer(request, connection.getOutputStream());
    } catch (IOException e) {
      return; // The other side hung up.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : open) {
      connection.close();
    }
    threads.shutdownNow();
  }
}
