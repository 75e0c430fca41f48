package dev.bridle.cli.flood;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection of HTTP/1.1 that makes one request after the other. */
final class KeptConnection implements AutoCloseable {
  private static final String LENGTH = "content-length: ";

  private final Socket socket;
  private final BufferedReader in;

  KeptConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  /** Asks for the server's health, and returns the status line; empty if the connection is lost. */
  String health() throws IOException {
    String request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    String status = in.readLine();
    if (status == null) {
      return "";
    }
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(line.substring(LENGTH.length()));
      }
    }
    for (int i = 0; i < length; i++) {
      if (in.read() < 0) {
        return "";
      }
    }
    return status;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
