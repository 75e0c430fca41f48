package dev.bridle.cli.phone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.TypedCommand;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.seal.DeviceKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A phone that is paired, listed, renamed and removed by commands; another device plays it. */
final class PhoneCommandIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern LINK = Pattern.compile("#(harp-pair:\\S+)");
  private static final Pattern CODE = Pattern.compile("there and type {2}(\\S+)");
  private static final Pattern SHORT_CODE = Pattern.compile("Type this there: {2}(\\S+)");

  @TempDir private static Path directory;
  private static LocalServer server;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String[] phone(String... words) {
    List<String> all = new ArrayList<>(List.of("phone"));
    all.addAll(List.of(words));
    all.addAll(List.of("--url", server.baseUrl().toString(), "--api-key", key));
    return all.toArray(String[]::new);
  }

  private static String path(String name) {
    return directory.resolve(name).toString();
  }

  private static String[] accept(String device, String... how) {
    Commands.run(
        0,
        "harp",
        "keys",
        "create",
        path(device + ".keys"),
        "--passphrase-file",
        path("passphrase"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "harp",
                "pair",
                "accept",
                "--approver",
                device,
                "--keys",
                path(device + ".keys"),
                "--passphrase-file",
                path("passphrase"),
                "--token-out",
                path(device + ".token")));
    all.addAll(List.of(how));
    return all.toArray(String[]::new);
  }

  @Test
  void aDeviceThatOpensTheLinkIsAPhoneUntilItIsRemoved() throws Exception {
    try (TypedCommand adding =
        new TypedCommand(
            phone("add", "--principal", "ada", "--name", "first", "--png", path("q.png")))) {
      String link = adding.shown(LINK);
      assertThat(adding.printed()).contains("▀", server.harpUrl().orElseThrow() + "/approve/#");
      assertThat(Files.size(directory.resolve("q.png"))).isPositive();

      Commands.run(0, accept("opened", link));

      assertThat(adding.exit()).as(adding.printed()).isZero();
      assertThat(adding.printed()).contains("Paired: ", "(first), for ada, signing key sha256:");
      assertThat(directory.resolve("q.png")).doesNotExist();
    }
    assertThat(Commands.run(0, phone("list")).out()).contains("first", "ada");
    assertThat(Commands.run(0, phone("rename", "first", "second")).out()).contains("is second");
    assertThat(Commands.run(1, phone("remove", "first")).err()).contains("No phone has");

    assertThat(Commands.run(0, phone("remove", "second", "--reason", "lost")).out())
        .contains("Removed: ");

    assertThat(Commands.run(0, phone("list")).out()).doesNotContain("second");
    String all = Commands.run(0, phone("list", "--all", "--json")).out();
    assertThat(Json.parse(all.lines().findFirst().orElseThrow()).get("revoke_reason").textValue())
        .isEqualTo("lost");
  }

  @Test
  void aDeviceWhereTheCodeWasTypedIsTakenByItsOwnCodeAlone() throws Exception {
    try (TypedCommand adding =
        new TypedCommand(phone("add", "--principal", "ada", "--name", "typed"))) {
      String code = adding.shown(CODE);
      CompletableFuture<Commands.Said> accepting =
          CompletableFuture.supplyAsync(
              () ->
                  Commands.run(
                      0,
                      accept(
                          "typed",
                          "--relay",
                          server.harpUrl().orElseThrow().toString(),
                          "--code",
                          code)));
      String shortCode =
          TypedCommand.found(
              SHORT_CODE, accepting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).out());
      adding.shown(Pattern.compile("(The code of 16 characters)"));
      adding.type(shortCode);

      assertThat(adding.exit()).as(adding.printed()).isZero();
    }
    assertThat(Commands.run(0, phone("list")).out()).contains("typed");
  }

  @Test
  void whatARemovedPhoneLeavesValidIsSaid() {
    enrol("left", "shared");
    enrol("last", "shared");

    assertThat(Commands.run(0, phone("remove", "left")).out().lines().toList())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("Still valid: its id at the relay, shared, and that id's token, since another");
    assertThat(Commands.run(0, phone("remove", "last")).out().lines()).hasSize(1);
  }

  private static void enrol(String name, String approver) {
    DeviceKeys keys = DeviceKeys.create(new SecureRandom());
    ObjectNode halves = keys.publicHalves();
    ObjectNode device =
        Json.object()
            .put("principal", "ben")
            .put("name", name)
            .put("approver_id", approver)
            .put("signer_key_id", keys.signerKeyId());
    device.set("signing_key", halves.get("signingKey"));
    device.set("agreement_key", halves.get("agreementKey"));
    assertThat(
            new ProtocolClient(server.baseUrl(), key).post("/v1/approval-devices", device).status())
        .isEqualTo(201);
  }

  @Test
  void whereNoPhoneComesTheCommandSaysSo() {
    assertThat(Commands.run(1, phone("add", "--principal", "ada", "--wait", "1s")).err())
        .contains("No phone has opened the link in time");
  }
}
