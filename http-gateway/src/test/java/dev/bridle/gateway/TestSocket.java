package dev.bridle.gateway;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A WebSocket to a gateway, as the JDK's client opens it. */
final class TestSocket implements WebSocket.Listener, AutoCloseable {

  private final BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
  private final List<String> pongs = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();
  private volatile String reason = "";
  private WebSocket socket;

  static TestSocket open(GatewayFixture fixture, String path) {
    return open(fixture, path, builder -> {});
  }

  /** Opens one with version and key in headers. */
  static TestSocket open(GatewayFixture fixture, String path, Consumer<WebSocket.Builder> change) {
    return bare(
        fixture,
        path,
        builder -> {
          builder.header("Harn-Agents-Protocol-Version", GatewayFixture.VERSION);
          builder.header("Authorization", "Bearer key-1");
          change.accept(builder);
        });
  }

  static TestSocket bare(GatewayFixture fixture, String path, Consumer<WebSocket.Builder> change) {
    TestSocket opened = new TestSocket();
    WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
    change.accept(builder);
    URI uri = URI.create("ws" + fixture.gateway.baseUrl().toString().substring(4) + path);
    opened.socket = builder.buildAsync(uri, opened).join();
    return opened;
  }

  /** The answer to an upgrade that is refused. */
  static HttpResponse<?> refusal(Runnable opening) {
    try {
      opening.run();
    } catch (CompletionException e) {
      return ((WebSocketHandshakeException) e.getCause()).getResponse();
    }
    throw new AssertionError("the upgrade was granted");
  }

  WebSocket socket() {
    return socket;
  }

  String reason() {
    return reason;
  }

  void send(String json) {
    socket.sendText(json, true).join();
  }

  /** The next frame that is no heartbeat. */
  JsonNode next() {
    try {
      JsonNode frame;
      do {
        frame = frames.poll(10, TimeUnit.SECONDS);
        if (frame == null) {
          throw new AssertionError("no frame came");
        }
      } while (frame.get("type").textValue().equals("heartbeat"));
      return frame;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answer to a frame. */
  JsonNode ask(String json) {
    send(json);
    return next();
  }

  JsonNode heartbeat() {
    await().until(() -> frames.stream().anyMatch(f -> f.get("type").asText().equals("heartbeat")));
    return frames.remove();
  }

  List<String> pongs() {
    return pongs;
  }

  int closeCode() {
    return closed.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      frames.add(GatewayFixture.json(text.toString()));
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
    pongs.add(StandardCharsets.UTF_8.decode(message).toString());
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String why) {
    reason = why;
    closed.complete(code);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    closed.completeExceptionally(error);
  }

  @Override
  public void close() {
    socket.abort();
  }
}
