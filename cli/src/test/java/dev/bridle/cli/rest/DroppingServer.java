package dev.bridle.cli.rest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on a raw socket: it reads one request from each connection, writes the next of its
 * answers, whole or broken, and closes the connection. Without an answer left it writes nothing.
 */
final class DroppingServer implements AutoCloseable {
  private final ServerSocket listener;
  private final Queue<String> answers;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private DroppingServer(int port, List<String> answers) throws IOException {
    this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    this.answers = new ConcurrentLinkedQueue<>(answers);
    Thread thread = new Thread(this::serve, "dropping-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** Listens on a free port. */
  static DroppingServer start(String... answers) throws IOException {
    return new DroppingServer(0, List.of(answers));
  }

  /** Listens on that port. */
  static DroppingServer startOn(int port, String... answers) throws IOException {
    return new DroppingServer(port, List.of(answers));
  }

  /** Returns a port that nothing listens on. */
  static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Returns a whole answer. */
  static String whole(String json) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
        + json.length()
        + "\r\n\r\n"
        + json;
  }

  /** Returns an answer that ends in the middle of its body. */
  static String half(String json) {
    String whole = whole(json);
    return whole.substring(0, whole.length() - json.length() / 2 - 1);
  }

  /** Returns the beginning of an event stream. */
  static String stream(String frames) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + frames;
  }

  URI url() {
    return url(listener.getLocalPort());
  }

  /** Returns the requests so far: head and body. */
  List<String> requests() {
    return requests;
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept()) {
        requests.add(request(socket));
        String answer = answers.poll();
        if (answer != null) {
          socket.getOutputStream().write(answer.getBytes(UTF_8));
        }
      } catch (IOException e) {
        // The client has gone, or the listener is closed, which ends the loop.
      }
    }
  }

  private static String request(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    StringBuilder request = new StringBuilder();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      request.append(line).append('\n');
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    char[] body = new char[length];
    for (int read = 0; read < length; ) {
      read += in.read(body, read, length - read);
    }
    return request.append('\n').append(body).toString();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
