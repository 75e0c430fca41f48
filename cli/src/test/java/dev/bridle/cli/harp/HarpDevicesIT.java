package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The list of devices that were paired with enforcers of a relay. */
final class HarpDevicesIT {
  private static final byte[] SIGNING_KEY = new byte[32];

  @TempDir private static Path directory;
  private static LocalServer server;
  private static String relay;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    relay = server.harpUrl().orElseThrow().toString();
    key = server.firstKey().orElseThrow();
    pair("ci", "tablet", "d-2");
    pair("ci", "phone", "d-1\u001b[2J");
    pair("nightly", "phone-2", "d-3");
    HarpFolder.harp(
        0,
        "parties",
        "revoke",
        "approver",
        "tablet",
        "--url",
        server.baseUrl().toString(),
        "--api-key",
        key);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void pair(String enforcer, String approver, String deviceId) {
    String nonce =
        new PairingClient(new RelayClient(new RestClient(URI.create(relay), key)))
            .initiate(enforcer, "The CI", "shop", Base64Url.encode(new byte[32]))
            .nonce();
    var unused =
        new PairingClient(new RelayClient(new RestClient(URI.create(relay), "")))
            .complete(
                nonce,
                new PairingDevice(
                    approver,
                    deviceId,
                    Base64Url.encode(new byte[32]),
                    "key-of-" + approver,
                    Base64Url.encode(SIGNING_KEY),
                    Base64Url.encode(new byte[16]),
                    Json.object()),
                new byte[64],
                Optional.empty());
  }

  private static Commands.Said ofEnforcer(int exitCode, String enforcer, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("devices", "--enforcer", enforcer, "--relay", relay, "--api-key", key));
    words.addAll(List.of(more));
    return HarpFolder.harp(exitCode, words.toArray(String[]::new));
  }

  @Test
  void anEnforcerListsItsDevicesInTheOrderOfTheirApprovers() {
    String fingerprint = Sha256.of(SIGNING_KEY).toString();

    assertThat(ofEnforcer(0, "ci").out().lines())
        .satisfiesExactly(
            phone ->
                assertThat(phone)
                    .startsWith(
                        "phone  d-1⟨U+001B⟩[2J  key-of-phone  " + fingerprint + "  of ci  20")
                    .doesNotContain("revoked"),
            tablet -> assertThat(tablet).startsWith("tablet  d-2  ").contains("  revoked 20"));
    assertThat(ofEnforcer(1, "nobody").err()).isNotEmpty();
  }

  @Test
  void aLineOfJsonHasTheKeysAndTheirFingerprint() {
    JsonNode tablet = Json.parse(ofEnforcer(0, "ci", "--json").out().lines().toList().get(1));

    assertThat(tablet.path("approverId").asText()).isEqualTo("tablet");
    assertThat(tablet.path("deviceId").asText()).isEqualTo("d-2");
    assertThat(tablet.path("signerKeyId").asText()).isEqualTo("key-of-tablet");
    assertThat(tablet.path("signingKey").asText()).isEqualTo(Base64Url.encode(SIGNING_KEY));
    assertThat(tablet.path("signingKeyFingerprint").asText())
        .isEqualTo(Sha256.of(SIGNING_KEY).toString());
    assertThat(tablet.path("revokedAt").asText()).endsWith("Z");
  }

  @Test
  void anAdministratorListsTheDevicesOfAllEnforcersWithHeadingsAtATerminal() {
    StringWriter out = new StringWriter();
    String[] words = {"harp", "devices", "--url", server.baseUrl().toString(), "--api-key", key};
    CommandLine line =
        Bridle.commandLine(words)
            .setOut(new TerminalWriter(out))
            .setErr(new PrintWriter(new StringWriter(), true));

    assertThat(line.execute(words)).isZero();

    assertThat(out.toString().lines())
        .satisfiesExactly(
            headings ->
                assertThat(headings.split(" {2,}"))
                    .containsExactly(
                        "APPROVER",
                        "DEVICE",
                        "KEY ID",
                        "KEY FINGERPRINT",
                        "ENFORCER",
                        "PAIRED AT",
                        "REVOKED AT"),
            phone -> assertThat(phone).startsWith("phone "),
            second -> assertThat(second).startsWith("phone-2 ").contains(" nightly "),
            tablet -> assertThat(tablet).startsWith("tablet "));
  }

  @Test
  void anEnforcersDevicesNeedARelay() {
    assertThat(HarpFolder.harp(2, "devices", "--enforcer", "ci", "--api-key", key).err())
        .contains("--relay");
  }
}
