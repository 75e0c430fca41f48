package dev.bridle.gateway;

import dev.bridle.gateway.call.ProtocolVersions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a started gateway requests that it refuses, until the code that refuses them is compiled.
 * Without it, the first seconds of a flood of such requests run in the interpreter, which takes
 * several times as long, and the requests of other clients wait for them.
 */
public final class WarmUp implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

  private static final int ROUNDS = 400;
  // The processors stay free for clients most of the time.
  private static final int PAUSE_MILLIS = 10;
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int BODY_BYTES = 64 << 10;
  private static final int CHUNKS = 1_000;

  private final InetSocketAddress address;
  private final int rounds;
  private final List<byte[]> requests;

  /** Prepares requests to the gateway with a base URL. */
  public WarmUp(URI gateway) {
    this(gateway, ROUNDS);
  }

  WarmUp(URI gateway, int rounds) {
    this.rounds = rounds;
    this.address = new InetSocketAddress(gateway.getHost(), gateway.getPort());
    String authority = gateway.getAuthority();
    String unknownKey = "Authorization: Bearer none\r\n";
    this.requests =
        List.of(
            unfinished("/v1/sessions", authority, ""),
            unfinished("/v1/sessions", authority, unknownKey),
            chunked("/v1/sessions", authority, unknownKey),
            unfinished("/v1/ingress/none", authority, ""));
  }

  /** Sends the requests; returns when they are answered, or when the gateway stops. */
  @Override
  public void run() {
    try {
      for (int round = 0; round < rounds; round++) {
        for (byte[] request : requests) {
          send(request);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException e) {
      log.debug("The warm-up ended early", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Sends a request and closes the connection at the first byte of the answer.
   *
   * @throws IOException if no connection can be opened: the gateway has stopped
   */
  private void send(byte[] request) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(address, TIMEOUT_MILLIS);
      refuse(socket, request);
    }
  }

  private static void refuse(Socket socket, byte[] request) {
    try {
      socket.getOutputStream().write(request);
      var unused = socket.getInputStream().read();
    } catch (IOException e) {
      // The gateway may close the connection while the body is still being sent.
      log.trace("A request was cut off", e);
    }
  }

  /** Returns a request with half of its body. */
  private static byte[] unfinished(String path, String authority, String credentials) {
    return (head(path, authority, credentials)
            + "Content-Length: "
            + 2 * BODY_BYTES
            + "\r\n\r\n"
            + " ".repeat(BODY_BYTES))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns a request with chunks of one byte and no last chunk. */
  private static byte[] chunked(String path, String authority, String credentials) {
    return (head(path, authority, credentials)
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "1\r\n \r\n".repeat(CHUNKS))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String head(String path, String authority, String credentials) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: "
        + authority
        + "\r\n"
        + ProtocolVersions.HEADER
        + ": "
        + ProtocolVersions.SUPPORTED.get(0)
        + "\r\nContent-Type: application/json\r\n"
        + credentials;
  }
}
