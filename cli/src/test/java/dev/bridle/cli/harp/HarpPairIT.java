package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.TypedCommand;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingSecret;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer and a device that pair over a relay, over real sockets. */
final class HarpPairIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern TEXT = Pattern.compile("'(harp-pair:[^']+)'");
  private static final Pattern CODE = Pattern.compile("--code (\\S+)");
  private static final Pattern SHORT_CODE = Pattern.compile("Type this there: {2}(\\S+)");

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
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    Files.writeString(
        directory.resolve("action.json"), "{\"command\":\"make\",\"salt\":\"c2FsdA\"}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String path(String name) {
    return directory.resolve(name).toString();
  }

  private static String[] harp(String... words) {
    List<String> all = new ArrayList<>(List.of("harp"));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }

  private static void makeKeys(String device) {
    Commands.run(
        0, harp("keys", "create", path(device + ".keys"), "--passphrase-file", path("passphrase")));
  }

  private static String[] offer(String device, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                harp(
                    "pair",
                    "offer",
                    "--enforcer",
                    "ci-" + device,
                    "--label",
                    "The CI",
                    "--workspace",
                    "shop",
                    "--identity",
                    path("ci.identity"),
                    "--out",
                    path(device + ".json"),
                    "--relay",
                    relay,
                    "--api-key",
                    key)));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String[] accept(String device, String... how) {
    List<String> all =
        new ArrayList<>(
            List.of(
                harp(
                    "pair",
                    "accept",
                    "--approver",
                    device,
                    "--keys",
                    path(device + ".keys"),
                    "--passphrase-file",
                    path("passphrase"),
                    "--token-out",
                    path(device + ".token"))));
    all.addAll(List.of(how));
    return all.toArray(String[]::new);
  }

  private static JsonNode trusted(String device) throws IOException {
    return Json.parse(Files.readString(directory.resolve(device + ".json")));
  }

  @Test
  void aDeviceThatIsGivenTheQrCodesTextIsTrustedAndDecides() throws Exception {
    makeKeys("phone");
    try (TypedCommand offering = new TypedCommand(offer("phone", "--png", path("phone.png")))) {
      String text = offering.shown(TEXT);
      assertThat(offering.printed()).contains("▀");
      assertThat(Files.size(directory.resolve("phone.png"))).isPositive();

      Commands.Said accepted = Commands.run(0, accept("phone", text));

      assertThat(accepted.out()).contains("Enforcer The CI of shop").doesNotContain("Type this");
      assertThat(offering.exit()).as(offering.printed()).isZero();
      assertThat(directory.resolve("phone.png")).doesNotExist();
    }
    assertThat(trusted("phone").path("signerKeyId").asText()).isNotEmpty();
    for (String secret : List.of("phone.token", "ci.identity")) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve(secret))))
          .isEqualTo("rw-------");
    }
    decide("phone");
    theRoutingTokenIsOfOneEnforcerAndRelay("phone");
    aSecondEnforcer();
  }

  /** Has a request refused before it is sent, and its token shown to nobody. */
  private static void theRoutingTokenIsOfOneEnforcerAndRelay(String device) throws IOException {
    Commands.run(
        0,
        harp(
            "artifact",
            "--type",
            "command.review",
            "--payload",
            path("action.json"),
            "--out",
            path("fresh.json"),
            "--for",
            path(device + ".json"),
            "--sealed",
            path("fresh.sealed.json")));
    String token = trusted(device).path("routingToken").asText();
    String elsewhere = "http://127.0.0.1:1";
    assertThat(token).isNotEmpty();
    assertThat(submit(1, "another", device + ".json", relay).err())
        .contains("pairing with the enforcer ci-" + device)
        .doesNotContain(token);
    assertThat(submit(1, "ci-" + device, device + ".json", elsewhere).err())
        .contains("its routing token is not sent to " + elsewhere)
        .doesNotContain(token);
    assertThat(submit(1, "ci-" + device, "a.json", relay).err()).contains("has no routing token");
    assertThat(submit(2, "ci-" + device, device + ".json", relay, "--approver", device).err())
        .contains("give one of them");
    Files.writeString(
        directory.resolve("false.json"),
        Files.readString(directory.resolve(device + ".json")).replace(token, "no" + token));
    assertThat(submit(1, "ci-" + device, "false.json", relay).err())
        .contains("The routing token is unknown")
        .doesNotContain(token);
  }

  private static Commands.Said submit(
      int exitCode, String enforcer, String trusted, String at, String... more) {
    return Commands.run(
        exitCode,
        with(
            harp(
                "submit",
                "--enforcer",
                enforcer,
                "--artifact",
                path("fresh.sealed.json"),
                "--trusted",
                path(trusted),
                "--relay",
                at,
                "--api-key",
                key),
            more));
  }

  private static void aSecondEnforcer() throws Exception {
    String[] offer = offer("phone");
    for (int i = 0; i < offer.length; i++) {
      offer[i] = offer[i].replace("ci-phone", "second").replace("phone.json", "second.json");
    }
    try (TypedCommand offering = new TypedCommand(offer)) {
      String text = offering.shown(TEXT);
      String[] accept = accept("phone", text);
      for (int i = 0; i < accept.length; i++) {
        accept[i] = accept[i].replace("--token-out", "--api-key-file");
      }

      assertThat(Commands.run(1, with(accept, "--relay", "http://127.0.0.1:1")).err())
          .contains("the token is not sent there");
      var unused = Commands.run(0, with(accept, "--relay", relay));

      assertThat(offering.exit()).as(offering.printed()).isZero();
    }
    assertThat(trusted("second").path("signerKeyId"))
        .isEqualTo(trusted("phone").path("signerKeyId"));
  }

  /** Has the device decide about an artifact, with its own token, and the enforcer verify that. */
  private static void decide(String device) throws Exception {
    Commands.run(
        0,
        harp(
            "artifact",
            "--type",
            "command.review",
            "--payload",
            path("action.json"),
            "--out",
            path("a.json"),
            "--for",
            path(device + ".json"),
            "--sealed",
            path("sealed.json")));
    String request =
        Json.parse(Files.readString(directory.resolve("a.json"))).path("requestId").asText();
    String[] token = {"--relay", relay, "--api-key-file", path(device + ".token")};
    Commands.run(
        0,
        harp(
            "parties",
            "create",
            "bystander",
            "--url",
            server.baseUrl().toString(),
            "--api-key",
            key));
    CompletableFuture<Commands.Said> watched =
        CompletableFuture.supplyAsync(
            () ->
                Commands.run(
                    0, with(harp("watch", "--approver", device, "--count", "1", "--json"), token)));
    CompletableFuture<Commands.Said> submitted =
        CompletableFuture.supplyAsync(
            () ->
                Commands.run(
                    0,
                    harp(
                        "submit",
                        "--enforcer",
                        "ci-" + device,
                        "--artifact",
                        path("sealed.json"),
                        "--trusted",
                        path(device + ".json"),
                        "--label",
                        "Build",
                        "--wait",
                        "5m",
                        "--out",
                        path("d.json"),
                        "--relay",
                        relay,
                        "--api-key",
                        key)));
    JsonNode shown =
        Json.parse(
            watched
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .out()
                .lines()
                .findFirst()
                .orElseThrow());
    assertThat(shown.path("msgType").asText()).isEqualTo("approval.request");
    assertThat(shown.path("requestId").asText()).isEqualTo(request);
    assertThat(shown.at("/body/metadata/requestLabel").asText()).isEqualTo("Build");
    assertThat(
            Commands.run(
                    0, harp("inbox", "--approver", "bystander", "--relay", relay, "--api-key", key))
                .out())
        .as("who else was asked")
        .doesNotContain(request);
    Commands.run(
        0,
        with(
            harp(
                "approve",
                "--keys",
                path(device + ".keys"),
                "--passphrase-file",
                path("passphrase"),
                "--approver",
                device,
                "--request",
                request,
                "--yes"),
            token));
    Commands.Said sent = submitted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(sent.out() + sent.err())
        .doesNotContain(trusted(device).path("routingToken").asText());
    assertThat(
            Commands.run(
                    0,
                    harp(
                        "enforce",
                        "--trusted",
                        path(device + ".json"),
                        "--artifact",
                        path("a.json"),
                        "--decision",
                        path("d.json"),
                        "--once",
                        path("enforced.jsonl")))
                .out())
        .contains("allow, signed by");
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Tag("slow")
  @Test
  void aDeviceWithATypedCodeIsTrustedOnceItsOwnCodeIsTypedBack() throws Exception {
    makeKeys("tablet");
    try (TypedCommand offering = new TypedCommand(offer("tablet"))) {
      String code = offering.shown(CODE);

      String accepted = Commands.run(0, accept("tablet", "--relay", relay, "--code", code)).out();
      offering.shown(Pattern.compile("(shows: )"));
      offering.type(TypedCommand.found(SHORT_CODE, accepted).toLowerCase(Locale.ROOT));

      assertThat(offering.exit()).as(offering.printed()).isZero();
    }
    assertThat(trusted("tablet").path("approverId").asText()).isEqualTo("tablet");
  }

  @Tag("slow")
  @Test
  void aCodeThatIsNotTheDevicesTrustsNothing() throws Exception {
    makeKeys("other");
    try (TypedCommand offering = new TypedCommand(offer("other"))) {
      String code = offering.shown(CODE);
      Commands.run(0, accept("other", "--relay", relay, "--code", code));
      offering.shown(Pattern.compile("(shows: )"));

      offering.type("0000-0000-0000-0000");

      assertThat(offering.exit()).isEqualTo(1);
      assertThat(offering.printed()).contains("HARP_ERR_HASH_MISMATCH");
    }
    assertThat(directory.resolve("other.json")).doesNotExist();
  }

  @Tag("slow")
  @Test
  void aQrCodeOfAnotherEnforcerIsNotAccepted() throws Exception {
    makeKeys("wary");
    try (TypedCommand offering = new TypedCommand(offer("wary", "--wait", "2s"))) {
      String text = offering.shown(TEXT);
      String lie = text.replaceFirst("&e=.{10}", "&e=AAAAAAAAAA");

      assertThat(Commands.run(1, accept("wary", lie)).err())
          .contains("another enforcer than the one that shows the QR code");
      assertThat(directory.resolve("wary.token")).doesNotExist();
      assertThat(offering.exit()).isEqualTo(1);
      assertThat(offering.printed()).contains("No device has accepted in time");
    }
  }

  @Tag("slow")
  @Test
  void aDeviceWhoseEnforcerDoesNotConfirmSaysSo() throws Exception {
    makeKeys("alone");
    PairingClient client =
        new PairingClient(new RelayClient(new RestClient(URI.create(relay), key)));
    byte[] identity = EnforcerIdentity.of(directory.resolve("silent.identity")).publicKey();
    var begun = client.initiate("silent", "Silent", "shop", Base64Url.encode(identity));
    String text =
        PairingQr.of(
                relay,
                begun.nonce(),
                Sha256.of(identity),
                PairingSecret.create(new SecureRandom()),
                Optional.empty())
            .text();

    assertThat(Commands.run(1, accept("alone", text, "--wait", "1s")).err())
        .contains("has not confirmed in time");

    client.confirm(begun.nonce(), new byte[32]);
    assertThat(directory.resolve("alone.token")).exists();
  }

  @Test
  void aCodeOrATextIsGiven() {
    makeKeys("lost");

    assertThat(Commands.run(2, accept("lost")).err()).contains("--code");
  }
}
