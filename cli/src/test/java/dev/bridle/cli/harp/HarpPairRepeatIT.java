package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that completes a pairing, and does not get the relay's answer. */
@Tag("slow")
final class HarpPairRepeatIT {
  private static final String COMPLETE = "/v1/pairing/complete";
  private static final String KEY_BYTES = Base64Url.encode(new byte[32]);

  @TempDir private static Path directory;
  private static LocalServer server;
  private static URI relay;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    relay = server.harpUrl().orElseThrow();
    key = server.firstKey().orElseThrow();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String offer() {
    return new PairingClient(new RelayClient(new RestClient(relay, key)))
        .initiate("ci", "The CI", "shop", KEY_BYTES)
        .nonce();
  }

  private static void assertReaches(String token, String approver) {
    JsonNode page =
        new RestClient(relay, token).get("/v1/approvers/" + approver + "/inbox").path("body");
    assertThat(page.path("items").isEmpty()).isTrue();
  }

  @Test
  void aClientThatTriesAgainGetsTheToken() throws IOException {
    String nonce = offer();
    try (LossyProxy proxy = LossyProxy.to(relay)) {
      proxy.loseAnswerTo(COMPLETE);

      JsonNode completed =
          new PairingClient(new RelayClient(new RestClient(proxy.url(), "")))
              .complete(
                  nonce,
                  new PairingDevice(
                      "phone", "d-1", KEY_BYTES, "kid", KEY_BYTES, KEY_BYTES, Json.object()),
                  new byte[64],
                  Optional.empty());

      assertThat(proxy.isLosing()).as("no answer was lost").isFalse();
      assertReaches(completed.path("deviceToken").asText(), "phone");
    }
  }

  @Test
  void theSameCallIsAnsweredAgainAndAnyOtherIsAConflict() {
    RestClient device = new RestClient(relay, "");
    ObjectNode body =
        Json.object()
            .put("nonce", offer())
            .put("approverId", "tablet")
            .put("publicKey", KEY_BYTES)
            .put("mac", "bWFj");

    JsonNode first = device.post(COMPLETE, body, "known-to-the-device");

    assertThat(device.post(COMPLETE, body, "known-to-the-device")).isEqualTo(first);
    assertReaches(first.path("deviceToken").asText(), "tablet");
    assertThatThrownBy(() -> device.post(COMPLETE, body, "another")).hasMessageContaining("(409");
    assertThatThrownBy(
            () ->
                device.post(COMPLETE, body.deepCopy().put("mac", "b3RoZXI"), "known-to-the-device"))
        .hasMessageContaining("(409");
  }
}
