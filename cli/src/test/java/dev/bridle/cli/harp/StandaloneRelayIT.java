package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay that runs alone in a process, administered and used by the command line. */
@Tag("slow")
final class StandaloneRelayIT {
  private static final String ENFORCER_KEY = "ci.key";
  private static final String PHONE_KEY = "ada.key";

  @TempDir private static Path directory;
  private static ServerProcess server;

  private static ServerProcess start(String... more) {
    List<String> options =
        new ArrayList<>(List.of("--data-dir", path("relay"), "--api-key-file", path("admin.key")));
    options.addAll(List.of("--harp-port", "0", "--admin-port", "0", "--grpc-port", "0"));
    options.addAll(List.of(more));
    return ServerProcess.start(
        BuiltBridle.java(), directory.resolve("relay.log"), "harp-gateway", options);
  }

  @BeforeAll
  static void start() throws IOException {
    server = start(new String[0]);
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    Files.writeString(
        directory.resolve("action.json"), "{\"command\":\"make\",\"salt\":\"c2FsdA\"}");
    Files.writeString(
        directory.resolve("phone.json"), harp(0, withKeys("keys", "create", "--json")).out());
    parties("create", "phone", "--actor", "ada");
    makeKey(ENFORCER_KEY, "ci", "harp:enforce");
    makeKey(PHONE_KEY, "ada", "harp:approve");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String path(String name) {
    return directory.resolve(name).toString();
  }

  private static void makeKey(String file, String actor, String scope) {
    Commands.run(
        0,
        "apikey",
        "create",
        "--data-dir",
        path("relay"),
        "--actor",
        actor,
        "--scope",
        scope,
        "--api-key-file",
        path(file));
  }

  private static Commands.Said harp(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("harp"));
    all.addAll(List.of(words));
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  private static Commands.Said parties(String... words) {
    return harp(
        0,
        with(
            with(new String[] {"parties"}, words),
            "--url",
            server.url().toString(),
            "--api-key-file",
            path("admin.key")));
  }

  private static Commands.Said relayed(String key, String... words) {
    String relay = server.harpUrl().orElseThrow().toString();
    return harp(0, with(words, "--relay", relay, "--api-key-file", path(key)));
  }

  private static String[] withKeys(String... words) {
    String[] file =
        words[0].equals("keys")
            ? new String[] {path("phone.keys")}
            : new String[] {"--keys", path("phone.keys")};
    return with(with(words, file), "--passphrase-file", path("passphrase"));
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static ProtocolClient admin() throws IOException {
    return new ProtocolClient(
        server.url(), Files.readString(directory.resolve("admin.key")).strip());
  }

  @Test
  void anExchangeIsCarriedBySeparateKeysAndIsStillThereAfterARestart() throws Exception {
    harp(
        0,
        "artifact",
        "--type",
        "command.review",
        "--payload",
        path("action.json"),
        "--out",
        path("a.json"),
        "--for",
        path("phone.json"),
        "--sealed",
        path("sealed.json"));
    String request =
        Json.parse(Files.readString(directory.resolve("a.json"))).path("requestId").asText();
    String[] submit = {
      "submit", "--enforcer", "ci", "--artifact", path("sealed.json"), "--approver", "phone"
    };
    assertThat(relayed(ENFORCER_KEY, submit).err()).contains(request + ": pendingApproval");
    assertThat(relayed(PHONE_KEY, "inbox", "--approver", "phone").out()).contains(request);
    assertThat(server.stop()).isEqualTo(ExitCodes.DONE);
    server = start(new String[0]);

    relayed(PHONE_KEY, withKeys("approve", "--approver", "phone", "--request", request, "--yes"));
    relayed(ENFORCER_KEY, with(submit, "--wait", "1m", "--out", path("d.json")));

    assertThat(
            harp(
                    0,
                    "enforce",
                    "--trusted",
                    path("phone.json"),
                    "--artifact",
                    path("a.json"),
                    "--decision",
                    path("d.json"),
                    "--once",
                    path("enforced.jsonl"))
                .out())
        .contains("allow, signed by");
    assertThat(parties("list").out()).contains("approver  phone", "enforcer  ci");
  }

  @Test
  void tasksAndSessionsAreNotServed() throws IOException {
    for (String path : List.of("/v1/sessions", "/v1/tasks", "/v1/workspaces", "/v1/vaults")) {
      assertThat(admin().get(path).status()).as(path).isEqualTo(404);
      assertThat(admin().post(path, Json.object()).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void theStatusAndTheDocumentOfWhatIsServedAreServed() throws IOException {
    assertThat(admin().get("/health").status()).isEqualTo(200);
    JsonNode health =
        new ProtocolClient(server.harpUrl().orElseThrow(), "none").get("/health").json();
    assertThat(health.path("status").asText()).isEqualTo("ok");
    JsonNode paths = admin().get("/openapi.json").json().path("paths");

    assertThat(paths.has("/v1/harp/approvers")).isTrue();
    assertThat(paths.has("/oauth/token")).isTrue();
    assertThat(paths.has("/v1/tasks")).isFalse();
  }

  @Test
  void aCertificateIsThatOfHarpAndAdministrationStaysOnThisMachine() {
    Commands.run(0, "tls", "create", "--dir", path("tls"), "--name", "localhost");
    List<String> options =
        List.of(
            "--data-dir",
            path("encrypted"),
            "--host",
            "0.0.0.0",
            "--harp-port",
            "0",
            "--admin-port",
            "0",
            "--grpc-port",
            "0",
            "--tls-cert",
            path("tls/server.crt"),
            "--tls-key",
            path("tls/server.key"));

    try (ServerProcess encrypted =
        ServerProcess.start(
            BuiltBridle.java(), directory.resolve("tls.log"), "harp-gateway", options)) {
      assertThat(encrypted.harpUrl().orElseThrow()).hasScheme("https");
      assertThat(encrypted.url()).hasScheme("http").hasHost("127.0.0.1");
      assertThat(new ProtocolClient(encrypted.url(), "none").get("/health").status())
          .isEqualTo(200);
      assertThat(encrypted.stop()).isEqualTo(ExitCodes.DONE);
    }
  }

  @Test
  void plaintextBeyondThisMachineIsWrongUsage() {
    assertThat(
            Commands.run(
                    ExitCodes.USAGE,
                    "harp-gateway",
                    "--data-dir",
                    path("open"),
                    "--host",
                    "0.0.0.0",
                    "--harp-port",
                    "0",
                    "--admin-port",
                    "0",
                    "--grpc-port",
                    "0")
                .err())
        .contains("plaintext beyond this machine");
  }

  @Test
  void aPortThatIsTakenIsNamedWithTheOptionsThatChooseAnother() {
    String taken = String.valueOf(server.harpUrl().orElseThrow().getPort());

    assertThat(
            Commands.run(
                    ExitCodes.FAILED,
                    "harp-gateway",
                    "--data-dir",
                    path("second"),
                    "--harp-port",
                    taken,
                    "--admin-port",
                    "0",
                    "--grpc-port",
                    "0")
                .err())
        .contains("port " + taken, "--harp-port, --admin-port and --grpc-port");
  }
}
