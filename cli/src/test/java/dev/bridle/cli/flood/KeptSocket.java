package dev.bridle.cli.flood;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One WebSocket that is open all the time, and asks now and then whether the server is there. */
final class KeptSocket implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final BlockingQueue<ByteBuffer> pongs = new LinkedBlockingQueue<>();
  private final WebSocket socket;

  KeptSocket(URI rest, String key) {
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .header("Authorization", "Bearer " + key)
            .header("Harn-Agents-Protocol-Version", "agents-protocol-2026-04-25")
            .buildAsync(
                URI.create(rest.toString().replaceFirst("^http", "ws") + "/v1/events/stream"),
                new Pongs())
            .join();
  }

  /** Takes pongs, and drops events. */
  private final class Pongs implements WebSocket.Listener {
    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
      pongs.add(message);
      from.request(1);
      return null;
    }
  }

  /** Returns whether the server answers a ping. */
  boolean isAnswered() throws InterruptedException {
    socket.sendPing(ByteBuffer.allocate(1)).join();
    return pongs.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) != null;
  }

  @Override
  public void close() {
    socket.abort();
  }
}
