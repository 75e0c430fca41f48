package dev.bridle.cli.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Phones get signed notices of their server, over its real sockets. */
final class PhoneNoticeIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private static LocalServer server;
  private static ProtocolClient rest;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    rest = new ProtocolClient(server.baseUrl(), key);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String[] command(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.baseUrl().toString(), "--api-key", key));
    return all.toArray(String[]::new);
  }

  private static HarpPhone phone(String name) throws Exception {
    ObjectNode ask = Json.object("{\"principal\":\"ada\"}").put("name", name);
    String link = rest.post("/v1/approval-device-pairings", ask).json().get("url").textValue();
    return HarpPhone.paired(server.harpUrl().orElseThrow(), directory, name, link);
  }

  private static String id(String name) {
    return Json.stream(rest.get("/v1/approval-devices?limit=200").json().get("data"))
        .filter(device -> device.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow()
        .get("id")
        .textValue();
  }

  private static ObjectNode only(HarpPhone phone, String kind) throws Exception {
    List<ObjectNode> found =
        phone.notices().stream()
            .filter(notice -> notice.at("/statement/kind").asText().equals(kind))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static void acknowledgeAll(HarpPhone phone) {
    for (JsonNode one : phone.sealed()) {
      assertThat(phone.acknowledge(phone.approver(), one.get("msgId").textValue()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void theCommandWaitsUntilThePhoneHasAcknowledgedTheTest() throws Exception {
    HarpPhone phone = phone("waited-for");
    try (InputStream stream = phone.stream()) {
      await().atMost(PATIENCE).until(() -> lastTest("waited-for").get("connected").booleanValue());
      CompletableFuture<Commands.Said> testing =
          CompletableFuture.supplyAsync(
              () -> Commands.run(0, command("phone", "test", "waited-for", "--timeout", "3m")));
      awaitWord(stream, "event: ping");
      await().atMost(PATIENCE).until(() -> !phone.sealed().isEmpty());
      assertThat(isSigned(only(phone, "test"))).isTrue();

      acknowledgeAll(phone);

      Commands.Said said = testing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(said.out()).matches("waited-for has received the test after \\d+\\.\\d s\\.\\R");
      assertThat(said.err()).contains("Sent. Waiting for waited-for…");
      assertThat(lastTest("waited-for").get("received_at").isTextual()).isTrue();
    }
  }

  private static JsonNode lastTest(String name) {
    return rest.get("/v1/approval-devices/" + id(name) + "/test").json();
  }

  /** Reads a stream up to a word, so that it is known to have come. */
  private static void awaitWord(InputStream stream, String word) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(word) < 0) {
      int next = stream.read();
      assertThat(next).as("the stream ends: %s", read).isNotNegative();
      read.append((char) next);
    }
  }

  @Test
  void whereThePhoneIsNotThereTheCommandSaysSoWithACodeOfItsOwn() throws Exception {
    HarpPhone phone = phone("absent");

    Commands.Said said = Commands.run(13, command("phone", "test", "absent", "--timeout", "1s"));

    assertThat(said.err()).contains("absent is not connected: open its page.");
    assertThat(said.out())
        .contains("Not received yet: absent is not connected at the moment. It shows the test");
    JsonNode test =
        Json.parse(
            Commands.run(13, command("phone", "test", "absent", "--timeout", "0s", "--json"))
                .out());
    assertThat(test.get("object").textValue()).isEqualTo("approval_device_test");
    assertThat(test.get("approval_device_id").textValue()).isEqualTo(id("absent"));
    assertThat(test.get("received_at").isNull()).isTrue();
    assertThat(test.get("connected").booleanValue()).isFalse();
    assertThat(test.get("last_seen_at").isNull()).isTrue();
    try (InputStream stream = phone.stream()) {
      assertThat(stream).isNotNull();
      await().atMost(PATIENCE).until(() -> lastTest("absent").get("connected").booleanValue());
      assertThat(Commands.run(13, command("phone", "test", "absent", "--timeout", "1s")).out())
          .contains("absent is connected, and has not acknowledged the test");
    }
    await().atMost(PATIENCE).until(() -> !lastTest("absent").get("connected").booleanValue());
    assertThat(Commands.run(13, command("phone", "test", "absent", "--timeout", "0s")).out())
        .contains(", and was last seen at 20");
    assertThat(phone.sealed()).as("one test at a time").hasSize(1);
  }

  @Test
  void eachOtherPhoneHearsOfADeviceHoweverItIsEnrolled() throws Exception {
    HarpPhone first = phone("first");
    HarpPhone second = phone("second");
    assertThat(second.notices()).isEmpty();
    JsonNode paired = only(first, "device_enrolled");
    assertThat(isSigned(paired)).isTrue();
    assertThat(paired.at("/statement/approver_id").textValue()).isEqualTo("first");
    assertThat(paired.at("/statement/device/name").textValue()).isEqualTo("second");
    assertThat(paired.at("/statement/device/id").textValue()).isEqualTo(id("second"));
    acknowledgeAll(first);

    Path file = directory.resolve("agent.json");
    Files.writeString(file, DeviceKeys.create(new SecureRandom()).publicHalves().toString());
    var unused =
        Commands.run(
            0,
            command("harp", "enrol", file.toString(), "--principal", "mallory", "--approver", "x"));

    for (HarpPhone phone : List.of(first, second)) {
      JsonNode enrolled = only(phone, "device_enrolled");
      assertThat(isSigned(enrolled)).isTrue();
      assertThat(enrolled.at("/statement/device/principal").textValue()).isEqualTo("mallory");
      assertThat(enrolled.at("/statement/device").has("name")).isFalse();
      acknowledgeAll(phone);
      assertThat(phone.notices()).isEmpty();
    }
  }

  private static boolean isSigned(JsonNode notice) throws Exception {
    byte[] keys =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(server.baseUrl() + "/.well-known/receipt-keys.json"))
                    .build(),
                BodyHandlers.ofByteArray())
            .body();
    return KeySet.parse(keys)
        .find(notice.at("/signature/key_id").textValue())
        .orElseThrow()
        .verifies(
            CanonicalJson.bytes(notice.get("statement")),
            Base64Url.decode(notice.at("/signature/signature").textValue()).orElseThrow());
  }

  @Test
  void noticesAreForTheirPhoneAlone() throws Exception {
    HarpPhone phone = phone("own");
    HarpPhone other = phone("others");
    String inbox = "/v1/approvers/own/inbox";
    String notice = phone.sealed().get(0).get("msgId").textValue();

    assertThat(phone.getOpenly(inbox).statusCode()).isEqualTo(401);
    assertThat(other.get(inbox).statusCode()).isEqualTo(404);
    assertThat(phone.get(inbox + "?notices=1").statusCode()).isEqualTo(400);
    assertThat(other.acknowledge("own", notice).statusCode()).isEqualTo(404);
    assertThat(other.acknowledge("others", notice).statusCode()).isEqualTo(404);
    assertThat(phone.acknowledge("own", "notice_unknown").statusCode()).isEqualTo(404);
    assertThat(phone.sealed()).hasSize(1);
    assertThat(phone.acknowledge("own", notice).statusCode()).isEqualTo(200);
    assertThat(Json.parse(phone.acknowledge("own", notice).body()).at("/body/msgId").textValue())
        .as("a repeat is accepted")
        .isEqualTo(notice);
    assertThat(Json.parse(phone.get(inbox).body()).has("trace")).isFalse();
  }

  @Test
  void aPhoneThatIsRemovedOrUnknownIsNotTested() throws Exception {
    var unused = phone("removed");
    String id = id("removed");
    JsonNode nothing = Json.parse("{}");
    var unusedRemoval = Commands.run(0, command("phone", "remove", "removed"));

    JsonNode refused =
        rest.send(rest.call("POST", "/v1/approval-devices/" + id + "/test").withBody(nothing))
            .json();
    assertThat(refused.at("/error/code").textValue()).isEqualTo("conflict");
    assertThat(refused.at("/error/message").textValue()).contains("was removed at");
    assertThat(Commands.run(1, command("phone", "test", "removed")).err())
        .contains("No phone has the id or name removed");
  }
}
