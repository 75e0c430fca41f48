package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay elsewhere with TLS is recognized by its CA and its name, or by its key. */
@Tag("slow")
final class RemoteRelayTlsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> RECOGNIZED = List.of("pinned", "issued");
  private static final List<String> OTHERS = List.of("mispinned", "unissued", "misnamed");

  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static Commands commands;
  private static UpThread relay;
  private static UpThread server;

  @BeforeAll
  static void start() throws Exception {
    folder = new HarpFolder(directory);
    commands = new Commands(directory);
    // Reachable by two names, of which the certificate has one.
    var unused =
        Commands.run(0, "tls", "create", "--dir", folder.path("tls"), "--name", "127.0.0.1");
    relay =
        commands.start(
            "relay",
            "--no-demo-agent",
            "--tls-cert",
            folder.path("tls/server.crt"),
            "--tls-key",
            folder.path("tls/server.key"),
            "--harp-port",
            "0");
    String url = relay.harpUrl().toString();
    ObjectNode relays = Json.object();
    ObjectNode all = relays.putObject("relays");
    relay(all, "pinned", url).put("key_pin", pin().toString());
    relay(all, "mispinned", url).put("key_pin", Sha256.of(new byte[1]).toString());
    relay(all, "issued", url).put("ca_file", "tls/ca.crt");
    relay(all, "unissued", url);
    relay(all, "misnamed", url.replace("127.0.0.1", "localhost")).put("ca_file", "tls/ca.crt");
    folder.write("relays.json", relays.toString());
    server = commands.start("data", "--harp-relays", folder.path("relays.json"));
  }

  private static ObjectNode relay(ObjectNode all, String name, String url) {
    return all.putObject(name).put("url", url).put("token_file", "relay.key");
  }

  private static Sha256 pin() throws IOException, CertificateException {
    try (InputStream pem = Files.newInputStream(directory.resolve("tls/server.crt"))) {
      return Sha256.of(
          CertificateFactory.getInstance("X.509")
              .generateCertificate(pem)
              .getPublicKey()
              .getEncoded());
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    relay.close();
  }

  private static void enrol(String name) {
    folder.createDevice(name);
    var unusedParty =
        HarpFolder.harp(
            0,
            "parties",
            "create",
            name,
            "--url",
            relay.url().toString(),
            "--ca-cert",
            folder.path("tls/ca.crt"),
            "--api-key-file",
            folder.path("relay.key"));
    var unused =
        HarpFolder.harp(
            0,
            "enrol",
            folder.path(name + ".json"),
            "--principal",
            name,
            "--approver",
            name,
            "--relay-name",
            name,
            "--url",
            server.url().toString(),
            "--api-key-file",
            folder.path("data.key"));
  }

  private static String inbox(String approver) {
    return HarpFolder.harp(
            0,
            "inbox",
            "--approver",
            approver,
            "--relay",
            relay.harpUrl().toString(),
            "--ca-cert",
            folder.path("tls/ca.crt"),
            "--api-key-file",
            folder.path("relay.key"))
        .out();
  }

  @Test
  void onlyTheRelayThatTheOperatorMeansIsAsked() throws IOException {
    List<String> all = new ArrayList<>(RECOGNIZED);
    all.addAll(OTHERS);
    all.forEach(RemoteRelayTlsIT::enrol);
    ProtocolClient client = commands.client(server, "data");
    String session =
        client
            .post("/v1/sessions", Json.parse("{\"workspace_id\":\"default\"}"))
            .json()
            .get("id")
            .textValue();
    String task =
        client
            .post(
                "/v1/sessions/" + session + "/tasks",
                Json.parse("{\"input\":{\"act\":{\"tool\":\"shell\",\"command\":\"make\"}}}"))
            .json()
            .get("id")
            .textValue();

    for (String name : RECOGNIZED) {
      await().atMost(PATIENCE).until(() -> inbox(name).contains("command.review"));
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(undelivered(client, task))
                    .as("relays that were not recognized")
                    .containsExactlyInAnyOrderElementsOf(OTHERS));
    for (String name : OTHERS) {
      assertThat(inbox(name)).as(name).doesNotContain("command.review");
    }
  }

  private static List<String> undelivered(ProtocolClient client, String task) {
    List<String> relays = new ArrayList<>();
    for (JsonNode event :
        client.get("/v1/tasks/" + task + "/events?limit=200").json().at("/data")) {
      if (event.path("event").asText().equals("vendor.bridle.decision_undelivered")) {
        relays.addAll(event.findValuesAsText("relay"));
      }
    }
    return relays;
  }
}
