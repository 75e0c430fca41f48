package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harpgateway.HarpGateway;
import dev.bridle.harpgateway.HarpGatewayOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a load balancer in front of a relay sees while it stops, and once its storage has failed.
 */
@Tag("slow")
final class HarpHealthIT {
  private static final int PATIENCE_SECONDS = 180;

  @TempDir private Path directory;

  private static void assertUnwell(String status, Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
    assertThat(answer.header("Content-Type").orElse("")).startsWith("application/json");
    JsonNode health = answer.json();
    assertThat(health.path("ok").asBoolean(true)).isFalse();
    assertThat(health.path("status").asText()).isEqualTo(status);
    assertThat(health.path("version").asText()).isNotEmpty();
  }

  @Test
  void aRelayWhoseServerDrainsIsUnwellWhileItStillAnswers() throws Exception {
    LocalServer server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    ProtocolClient rest = new ProtocolClient(server.baseUrl(), "none");
    ProtocolClient relay = new ProtocolClient(server.harpUrl().orElseThrow(), "none");
    assertThat(relay.get("/health").status()).isEqualTo(200);
    CountDownLatch stops = new CountDownLatch(1);
    CountDownLatch mayStop = new CountDownLatch(1);
    server.stopsAfter(
        () -> {
          stops.countDown();
          assertThat(mayStop.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        });

    CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
    try {
      assertThat(stops.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

      Answer health = relay.get("/health");

      assertUnwell("draining", health);
      assertThat(relay.get("/v1/status").status()).as("what is still served").isEqualTo(200);
      Answer withRest = rest.get("/health");
      assertThat(withRest.status()).as("the only status of a health document").isEqualTo(200);
      assertThat(withRest.json()).isEqualTo(health.json());
    } finally {
      mayStop.countDown();
    }
    closing.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  @Test
  void aRelayWhoseStorageHasFailedIsUnwell() {
    try (KeyValueStore store = SuiteStore.open(directory);
        CoreServer core =
            CoreServer.start(store, CoreOptions.DEFAULT.withListener("127.0.0.1", 0));
        HarpGateway gateway =
            HarpGateway.start(
                core.channel(),
                HarpGatewayOptions.defaults()
                    .withListener(ListenerOptions.defaults().withPort(0)))) {
      ProtocolClient relay = new ProtocolClient(gateway.baseUrl(), "none");
      assertThat(relay.get("/health").status()).isEqualTo(200);

      core.storageFailed();

      assertUnwell("storage_failed", relay.get("/health"));
    }
  }
}
