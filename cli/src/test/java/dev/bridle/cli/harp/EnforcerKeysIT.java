package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of the server's own enforcer, for devices, over a real socket. */
final class EnforcerKeysIT {
  private static final String KEYS = "/v1/enforcers/bridle/keys";

  @TempDir private static Path directory;
  private static LocalServer server;
  private static String deviceToken;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    deviceToken = paired();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static PairingClient pairing(String credential) {
    URI relay = server.harpUrl().orElseThrow();
    return new PairingClient(new RelayClient(new RestClient(relay, credential)));
  }

  /** Returns the token of a device of the enforcer {@code ci}. */
  private static String paired() {
    String owner = server.firstKey().orElseThrow();
    String key = Base64Url.encode(new byte[32]);
    String nonce = pairing(owner).initiate("ci", "The CI", "shop", key).nonce();
    PairingDevice device =
        new PairingDevice(
            "phone", "d-1", key, "key-1", key, Base64Url.encode(new byte[16]), Json.object());
    return pairing("")
        .complete(nonce, device, new byte[64], Optional.empty())
        .get("deviceToken")
        .textValue();
  }

  private static Answer get(String credential, String path) {
    return new ProtocolClient(server.harpUrl().orElseThrow(), credential).get(path);
  }

  private static JsonNode operator(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--json", "--data-dir", directory.resolve("data").toString()));
    return Json.parse(Commands.run(0, all.toArray(String[]::new)).out().lines().toList().get(0));
  }

  private static String credential(String scope) {
    return server.credential("somebody", Set.of(scope));
  }

  @Test
  void aDeviceLearnsWhichKeyTookThePlaceOfAnotherOne() {
    Answer before = get(deviceToken, KEYS);
    assertThat(before.status()).as(before.text()).isEqualTo(200);
    JsonNode published =
        new ProtocolClient(server.baseUrl(), "").get("/.well-known/receipt-keys.json").json();
    assertThat(before.json().get("keys")).isEqualTo(published.get("keys"));
    String old = before.json().at("/keys/0/kid").textValue();

    var unused = operator("oauth", "key", "rotate");

    JsonNode after = get(deviceToken, KEYS).json();
    JsonNode newest = after.get("successions").get(before.json().get("successions").size());
    assertThat(after.at("/keys/0/kid")).isEqualTo(newest.at("/statement/new_key/kid"));
    assertThat(newest.at("/statement/old_key_id").textValue()).isEqualTo(old);
    assertThat(newest.at("/signature/key_id").textValue()).isEqualTo(old);
    assertThat(after.at("/keys/1/exp").isIntegralNumber()).isTrue();
  }

  @Test
  void bothRolesOfHarpReadThemAndOthersDoNot() {
    assertThat(get(credential("harp:approve"), KEYS).status()).isEqualTo(200);
    assertThat(get(credential("harp:enforce"), KEYS).status()).isEqualTo(200);
    assertThat(get(credential("receipts:read"), KEYS).status()).isEqualTo(403);
    assertThat(get("", KEYS).status()).isEqualTo(401);
    assertThat(get(deviceToken + "x", KEYS).status()).isEqualTo(401);
  }

  @Test
  void theKeysOfOtherEnforcersAreUnknownToTheirDevicesAndToOtherTenants() throws IOException {
    Path file = directory.resolve("other.key");
    Commands.run(
        0,
        "apikey",
        "create",
        "--tenant",
        "other",
        "--scope",
        "harp:approve",
        "--api-key-file",
        file.toString(),
        "--data-dir",
        directory.resolve("data").toString());
    String other = Files.readString(file).strip();

    for (String credential : List.of(deviceToken, other)) {
      Answer answer = get(credential, "/v1/enforcers/ci/keys");
      assertThat(answer.status()).as(answer.text()).isEqualTo(404);
      assertThat(answer.json().at("/msgType").textValue()).isEqualTo("error");
      assertThat(answer.text()).doesNotContain("\"keys\"");
    }
    // Each tenant has this enforcer; the keys are the installation's, and public.
    assertThat(get(other, KEYS).json()).isEqualTo(get(deviceToken, KEYS).json());
  }

  @Test
  void unknownParametersAreRefused() {
    Answer answer = get(deviceToken, KEYS + "?limit=1");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/body/code").textValue()).isEqualTo("HARP_ERR_TRANSPORT");
    assertThat(get(deviceToken, "/v1/enforcers//keys").status()).isEqualTo(404);
  }
}
