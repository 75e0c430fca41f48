package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An exchange by HTTP alone: the commands of the documentation, as they stand there. */
@Tag("slow")
final class HarpCurlIT {
  private static final Path DOCUMENTATION = Path.of("..", "docs", "harp.md");

  @TempDir private Path directory;
  private LocalServer server;
  private HarpFolder folder;

  @BeforeEach
  void start() throws IOException {
    Path data = directory.resolve("data");
    server = LocalServer.start(LocalServerOptions.of(data).withoutDemoAgent().withHarpPort(0));
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    folder.createArtifact("a", "{\"command\":\"make\",\"salt\":\"c2FsdA\"}", "phone");
    folder.write("sealed.json", folder.read("a.sealed.json"));
    HarpFolder.harp(
        0,
        "parties",
        "create",
        "phone",
        "--actor",
        "ada",
        "--url",
        server.baseUrl().toString(),
        "--api-key",
        server.firstKey().orElseThrow());
    makeKey("ci", "harp:enforce");
    makeKey("ada", "harp:approve");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void makeKey(String actor, String scope) {
    Commands.run(
        0,
        "apikey",
        "create",
        "--data-dir",
        folder.path("data"),
        "--actor",
        actor,
        "--scope",
        scope,
        "--api-key-file",
        folder.path(actor + ".key"));
  }

  /** Returns the shell commands below a title of the documentation. */
  private static String documented() throws IOException {
    String section = Files.readString(DOCUMENTATION).split("### With curl\n", 2)[1];
    return section.split("```sh\n", 2)[1].split("```", 2)[0];
  }

  /** Returns a shell function that runs the built command, and answers where a person would. */
  private static String bridle() {
    String command =
        BuiltBridle.java().bridle(List.of()).stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    return "bridle() {\n"
        + "  local answers=()\n"
        + "  if [ \"$2\" = approve ]; then answers=(--passphrase-file passphrase --yes); fi\n"
        + "  "
        + command
        + " \"$@\" \"${answers[@]}\"\n"
        + "}\n";
  }

  @Test
  void theDocumentedCommandsCarryAnExchangeToItsAcknowledgment() throws Exception {
    folder.write("example.sh", "set -euo pipefail\n" + bridle() + documented());
    ProcessBuilder shell =
        new ProcessBuilder("bash", "example.sh")
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    shell.environment().put("BRIDLE_HARP_URL", server.harpUrl().orElseThrow().toString());
    shell.environment().put("XDG_STATE_HOME", folder.path("state"));
    shell.environment().put("CI_KEY", folder.read("ci.key").strip());
    shell.environment().put("ADA_KEY", folder.read("ada.key").strip());
    Process running = shell.start();

    assertThat(running.waitFor(5, TimeUnit.MINUTES)).isTrue();

    String said = folder.read("out");
    assertThat(running.exitValue()).as(said + folder.read("err")).isZero();
    List<JsonNode> envelopes =
        said.lines().filter(line -> line.startsWith("{")).map(Json::parse).toList();
    assertThat(envelopes)
        .extracting(envelope -> envelope.path("msgType").asText())
        .containsExactly(
            "artifact.accepted",
            "inbox.page",
            "decision.accepted",
            "ack.accepted",
            "exchange.status");
    assertThat(envelopes.get(1).at("/body/items")).hasSize(1);
    assertThat(envelopes.get(4).at("/body/state").asText()).isEqualTo("delivered");
    assertThat(said).contains("allow, signed by");
  }

  @Test
  void anEnvelopeThatIsWrittenIsNotSentAndHasNoDecisionToWaitFor() {
    String[] submit = {
      "submit", "--enforcer", "ci", "--artifact", folder.path("sealed.json"), "--envelope"
    };
    // Nothing answers at this address.
    HarpFolder.harp(
        0, with(submit, folder.path("e.json"), "--relay", "http://127.0.0.1:1", "--api-key", "k"));
    assertThat(Json.parse(folder.read("e.json")).path("msgType").asText())
        .isEqualTo("artifact.submit");

    assertThat(
            HarpFolder.harp(ExitCodes.USAGE, with(submit, folder.path("f.json"), "--wait", "1s"))
                .err())
        .contains("--envelope sends nothing");
    assertThat(
            folder
                .decide(
                    ExitCodes.USAGE,
                    "approve",
                    "phone",
                    List.of("--artifact", folder.path("sealed.json"), "--envelope", "g.json"))
                .err())
        .contains("--approver");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }
}
