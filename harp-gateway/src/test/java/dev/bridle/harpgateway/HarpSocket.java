package dev.bridle.harpgateway;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A WebSocket to a gateway, as the JDK's client opens it. */
final class HarpSocket implements WebSocket.Listener, AutoCloseable {
  private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
  private final AtomicInteger pings = new AtomicInteger();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();
  private WebSocket socket;

  static HarpSocket open(HarpFixture fixture, String query) {
    return open(fixture, query, builder -> builder.header("Authorization", "Bearer key-1"));
  }

  static HarpSocket open(HarpFixture fixture, String query, Consumer<WebSocket.Builder> change) {
    HarpSocket opened = new HarpSocket();
    WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
    change.accept(builder);
    URI uri =
        URI.create("ws" + fixture.gateway.baseUrl().toString().substring(4) + "/v1/ws" + query);
    opened.socket = builder.buildAsync(uri, opened).join();
    return opened;
  }

  /** Returns the response to a handshake that is refused. */
  static HttpResponse<?> refusal(Runnable opening) {
    try {
      opening.run();
    } catch (CompletionException e) {
      return ((WebSocketHandshakeException) e.getCause()).getResponse();
    }
    throw new AssertionError("the handshake was accepted");
  }

  WebSocket socket() {
    return socket;
  }

  void send(String message) {
    socket.sendText(message, true).join();
  }

  /** Returns the next message as it came. */
  String text() {
    try {
      String next = frames.poll(10, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("no message came");
      }
      return next;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  JsonNode next() {
    try {
      return HarpFixture.json(text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean hasNothing() {
    return frames.isEmpty();
  }

  int pings() {
    return pings.get();
  }

  int closeCode() {
    return closed.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      frames.add(text.toString());
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    pings.incrementAndGet();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
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
