package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The server as a process, and the commands that people type beside it. */
final class ProcessIT {

  @TempDir private Path directory;

  @Test
  void aServerThatIsToldToStopEndsWellAndLosesNothing() throws IOException {
    String session;
    try (ServerProcess server = start("data")) {
      session = newSession(client(server));
      assertThat(server.stop()).isZero();
    }
    assertThat(directory.resolve("data/server.json")).doesNotExist();
    try (ServerProcess again = start("data")) {
      assertThat(client(again).get("/v1/sessions/" + session).status()).isEqualTo(200);
    }
  }

  @Tag("slow")
  @Test
  void filesWithSecretsAreTheirOwnersAlone() throws IOException {
    try (ServerProcess server = start("data")) {
      for (String file : List.of("api.key", "data/operator.key", "data/server.json")) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(directory.resolve(file))))
            .as(file)
            .isEqualTo("rw-------");
      }
      assertThat(server.stop()).isZero();
    }
  }

  @Tag("slow")
  @Test
  void anApiKeyFileThatIsThereIsLeftAlone() throws IOException {
    start("data").close();
    String first = Files.readString(directory.resolve("api.key"));
    try (ServerProcess again = start("data")) {
      assertThat(directory.resolve("api.key")).hasContent(first);
      assertThat(client(again).get("/v1/workspaces").status()).isEqualTo(200);
    }
    Files.delete(directory.resolve("api.key"));
    try (ServerProcess again = start("data")) {
      assertThat(Files.readString(directory.resolve("api.key"))).isNotEqualTo(first);
      assertThat(client(again).get("/v1/workspaces").status()).isEqualTo(200);
    }
  }

  @Tag("slow")
  @Test
  void aSecondServerOnTheSameDirectoryIsRefusedInOneSentence() {
    try (ServerProcess first = start("data")) {
      assertThat(first.pid()).isPositive();
      assertThatThrownBy(() -> start("data"))
          .isInstanceOf(CommandFailed.class)
          .hasMessageContaining("in use")
          .hasMessageContaining("(process " + first.pid() + ")")
          .hasMessageNotContaining("\tat ");
    }
  }

  @Tag("slow")
  @Test
  void keysAreMadeListedAndRevokedWhileAServerRunsAndWhileNoneDoes() throws IOException {
    start("data").close();
    String offline = run(0, "apikey", "create", "--data-dir", path("data"), "--actor", "offline");
    try (ServerProcess server = start("data")) {
      String online = run(0, "apikey", "create", "--data-dir", path("data"), "--actor", "online");
      for (String secret : List.of(offline, online)) {
        assertThat(as(server, secret.strip()).get("/v1/workspaces").status()).isEqualTo(200);
      }
      String id =
          run(0, "apikey", "list", "--data-dir", path("data"), "--json")
              .lines()
              .map(Json::parse)
              .filter(key -> key.get("actor").textValue().equals("online"))
              .map(key -> key.get("id").textValue())
              .findFirst()
              .orElseThrow();
      run(0, "apikey", "revoke", id, "--data-dir", path("data"));
      assertThat(as(server, online.strip()).get("/v1/workspaces").status()).isEqualTo(401);
    }
  }

  @Tag("slow")
  @Test
  void tenantsAreListedKeptShorterAndDeletedWhileAServerRunsAndWhileNoneDoes() {
    try (ServerProcess server = start("data")) {
      String secret = run(0, "apikey", "create", "--data-dir", path("data"), "--tenant", "acme");
      assertThat(as(server, secret.strip()).get("/v1/workspaces").status()).isEqualTo(200);
      tenant(0, "retention", "acme", "--max-age", "30d", "--max-events", "500");
      assertThat(tenant(0, "list", "--json").lines().map(Json::parse))
          .extracting(line -> line.get("id").textValue(), line -> line.get("max_events").asLong())
          .containsExactly(tuple("acme", 500L), tuple("default", 0L));
      tenant(2, "delete", "acme", "--confirm", "acne");
      tenant(0, "delete", "acme", "--confirm", "acme");
      assertThat(as(server, secret.strip()).get("/v1/workspaces").status()).isEqualTo(401);
    }
    assertThat(tenant(0, "list")).contains("default").doesNotContain("acme");
    tenant(1, "delete", "acme", "--confirm", "acme");
    tenant(2, "retention", "default");
  }

  private String tenant(int exitCode, String... arguments) {
    List<String> all = new ArrayList<>(List.of("tenant"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--data-dir", path("data")));
    return run(exitCode, all.toArray(String[]::new));
  }

  @Test
  @Tag("slow")
  void theDemonstrationHolds() throws Exception {
    Process demo =
        new ProcessBuilder(BuiltBridle.java().bridle(List.of("demo")))
            .redirectErrorStream(true)
            .start();
    String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(demo.waitFor()).as(said).isZero();
    assertThat(said).contains("All checks passed.").doesNotContain("FAILED");
  }

  private static String run(int exitCode, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Bridle.commandLine(arguments).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    assertThat(line.execute(arguments)).as("%s%n%s", out, err).isEqualTo(exitCode);
    return out.toString();
  }

  private ServerProcess start(String data) {
    return ServerProcess.start(
        BuiltBridle.java(),
        directory.resolve("server.log"),
        Stream.concat(
                SuiteEngine.arguments(directory.resolve(data)).stream(),
                Stream.of(
                    "--api-key-file", path("api.key"), "--http-port", "0", "--grpc-port", "0"))
            .toList());
  }

  private ProtocolClient client(ServerProcess server) throws IOException {
    return as(server, Files.readString(directory.resolve("api.key")).strip());
  }

  private static ProtocolClient as(ServerProcess server, String key) {
    return new ProtocolClient(server.url(), key);
  }

  private static String newSession(ProtocolClient client) {
    return client
        .post("/v1/sessions", Json.object().put("workspace_id", "default"))
        .json()
        .get("id")
        .textValue();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }
}
