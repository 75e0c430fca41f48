package dev.bridle.cli.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.connection.ConnectionLimits;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.gateway.GatewayOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All listeners of a server at once, flooded with connections that begin something and do not end
 * it. Each listener keeps no more than its bound, closes those in their time, and goes on serving
 * the clients that it has.
 */
@Tag("slow")
@Timeout(300)
final class ListenerFloodIT {
  private static final Duration FIRST_CALL_TIME = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Set<String> ALL = Set.of("*");
  private static final int FLOOD = 200;
  private static final int MAX_HTTP = 80;
  private static final int MAX_WAITING_GRPC = 40;

  private static final String PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0"; // With empty settings.
  private static final List<String> BEGINNINGS =
      List.of(
          "",
          PREFACE,
          "GET /health HTTP/1.1\r\nHost: local",
          "GET /v1/events/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n");

  @TempDir private Path directory;

  private final List<AutoCloseable> resources = new ArrayList<>();

  private LocalServer start() throws IOException {
    ConnectionLimits http =
        ConnectionLimits.of(MAX_HTTP, MAX_HTTP).withFirstCallTime(FIRST_CALL_TIME);
    LocalServerOptions options = LocalServerOptions.of(directory.resolve("data"));
    CoreOptions core =
        options
            .core()
            .withConnections(
                new ConnectionLimits(
                    1000, 1000, MAX_WAITING_GRPC, MAX_WAITING_GRPC, FIRST_CALL_TIME));
    GatewayOptions gateway = options.gateway().withListener(on -> on.withConnections(http));
    return LocalServer.start(
        options.withoutDemoAgent().withCore(core).withGateway(gateway).withHarpPort(0));
  }

  private static ManagedChannel authenticated(LocalServer server) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + server.credential("ada", ALL));
    return NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort())
        .usePlaintext()
        .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
        .build();
  }

  private static void assertAnswered(ManagedChannel channel) {
    assertThat(
            EventServiceGrpc.newBlockingStub(channel)
                .withWaitForReady()
                .listEvents(ListEventsRequest.getDefaultInstance())
                .hasPage())
        .isTrue();
  }

  private static void assertAnswered(KeptConnection connection) throws IOException {
    assertThat(connection.health()).isEqualTo("HTTP/1.1 200 OK");
  }

  private Flood flood(int port) throws IOException {
    Flood flood = Flood.open(port, FLOOD, BEGINNINGS);
    resources.add(flood);
    return flood;
  }

  private static void awaitAtMost(int connections, Flood flood, String listener) {
    await(listener).atMost(PATIENCE).until(() -> flood.openConnections() <= connections);
  }

  @Test
  void eachListenerKeepsItsBoundsAndServesTheClientsThatItHas() throws Exception {
    LocalServer server = start();
    ManagedChannel channel = authenticated(server);
    int rest = server.baseUrl().getPort();
    int harp = server.harpUrl().orElseThrow().getPort();
    try (KeptConnection restClient = new KeptConnection(rest);
        KeptConnection harpClient = new KeptConnection(harp);
        KeptSocket socket = new KeptSocket(server.baseUrl(), server.credential("ada", ALL))) {
      assertThat(socket.isAnswered()).as("the WebSocket before").isTrue();
      assertAnswered(restClient);
      assertAnswered(harpClient);
      assertAnswered(channel);

      Flood onRest = flood(rest);
      Flood onHarp = flood(harp);
      Flood onGrpc = flood(server.grpcPort());

      awaitAtMost(MAX_HTTP - 2, onRest, "REST");
      awaitAtMost(MAX_HTTP - 1, onHarp, "HARP");
      awaitAtMost(MAX_WAITING_GRPC, onGrpc, "gRPC");
      assertAnswered(restClient);
      assertAnswered(harpClient);
      assertAnswered(channel);

      awaitAtMost(0, onRest, "REST after the time");
      awaitAtMost(0, onHarp, "HARP after the time");
      awaitAtMost(0, onGrpc, "gRPC after the time");
      assertAnswered(restClient);
      assertAnswered(harpClient);
      assertAnswered(channel);
      assertThat(socket.isAnswered()).as("the WebSocket after").isTrue();
      try (KeptConnection another = new KeptConnection(rest)) {
        assertAnswered(another);
      }
    } finally {
      channel.shutdownNow();
      for (AutoCloseable each : resources) {
        each.close();
      }
      server.close();
    }
  }
}
