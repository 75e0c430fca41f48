package dev.bridle.harpgateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A gateway before a relay that is made up, and a client of it. */
final class HarpFixture implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  final FakeRelay relay = new FakeRelay();
  final HarpGateway gateway;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  HarpFixture() {
    this(options -> options);
  }

  HarpFixture(UnaryOperator<HarpGatewayOptions> change) {
    gateway =
        HarpGateway.start(
            relay.channel(),
            change.apply(
                HarpGatewayOptions.defaults()
                    .withListener(
                        ListenerOptions.defaults()
                            .withPort(0)
                            .withShutdownTimeout(Duration.ofMillis(200)))));
  }

  FakeChannels channels() {
    return relay.channels();
  }

  /** Returns a request with credentials. */
  HttpRequest.Builder request(String path) {
    return bare(path).header("Authorization", "Bearer key-1");
  }

  HttpRequest.Builder bare(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.baseUrl() + path))
        .timeout(Duration.ofSeconds(20));
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return client.send(request.build(), handler);
  }

  static JsonNode json(String text) throws IOException {
    return MAPPER.readTree(text);
  }

  /** Stops in the background: the HTTP library takes two seconds for it. */
  @Override
  public void close() {
    Thread stop =
        new Thread(
            () -> {
              gateway.close();
              relay.close();
            });
    stop.setDaemon(true);
    stop.start();
  }
}
