package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.NodePackages;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of the protocol's own library, in Node, drives {@code bridle acp}. */
@Tag("slow")
final class ForeignEditorIT {
  private static final NodePackages LIBRARY =
      new NodePackages(
          "an editor made of the protocol's own library",
          "editor",
          List.of("node_modules/@agentclientprotocol/sdk/package.json"),
          List.of());

  @TempDir private Path directory;

  @Test
  void sessionsArePromptedAskedCancelledAndLoaded() throws Exception {
    Optional<String> missing = LIBRARY.missing();
    assumeTrue(missing.isEmpty(), missing::toString);
    try (AcpServer server = new AcpServer(directory)) {
      JsonNode seen = drive(server);

      assertThat(seen.path("complaints")).isEmpty();
      JsonNode first = seen.path("first");
      assertThat(first.at("/introduced/agentInfo/name").asText()).isEqualTo("bridle");
      assertThat(first.at("/modes/currentModeId").asText()).isEqualTo("default");
      assertThat(first.path("stops").toString())
          .isEqualTo("[\"end_turn\",\"end_turn\",\"end_turn\",\"cancelled\"]");
      assertThat(first.path("questions").toString())
          .isEqualTo("[\"touch made\",\"touch never\",\"touch cancelled\"]");
      assertThat(first.path("tools")).hasSize(2);
      assertThat(first.at("/plan/entries/0/content").asText()).isEqualTo("look");
      assertThat(first.path("refused").asInt()).isEqualTo(-32002);
      assertThat(first.at("/listed/0")).isEqualTo(first.path("sessionId"));
      assertThat(first.path("exit").asInt(-1)).isZero();
      assertThat(server.worker().done()).containsExactly("touch made");

      JsonNode second = seen.path("second");
      assertThat(second.at("/replayed/user").asText())
          .isEqualTo("showact touch madeact touch neveract touch cancelled");
      assertThat(second.at("/replayed/agent")).isEqualTo(first.path("said"));
      assertThat(second.at("/replayed/tools").asInt()).isEqualTo(4);
      assertThat(second.path("stops").toString()).isEqualTo("[\"end_turn\"]");
      assertThat(second.path("said").asText()).endsWith("after");
      assertThat(second.path("exit").asInt(-1)).isZero();
    }
  }

  private JsonNode drive(AcpServer server) throws Exception {
    Path program = LIBRARY.folder().resolve("drive.mjs");
    Files.copy(
        Path.of("..", "fixtures", "editor", "drive.mjs"),
        program,
        StandardCopyOption.REPLACE_EXISTING);
    List<String> command = new ArrayList<>(List.of("node", program.toString()));
    command.addAll(
        BuiltBridle.java()
            .bridle(
                List.of(
                    "acp", "--url", server.url(), "--api-key-file", server.keyFile().toString())));
    Path log = directory.resolve("node.log");
    Process node =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(log.toFile())
            .start();
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(node.waitFor()).as("%s%n%s", said, Files.readString(log)).isZero();
    return JsonLines.parse(said).orElseThrow();
  }
}
