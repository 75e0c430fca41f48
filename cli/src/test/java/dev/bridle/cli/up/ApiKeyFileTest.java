package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start does with an API key file that is there. */
final class ApiKeyFileTest {
  private static final String OTHER_KEY = "bridle_key_of_other_data";

  @TempDir private Path directory;
  private Commands commands;

  @BeforeEach
  void prepare() {
    commands = new Commands(directory);
  }

  @Test
  void aKeyOfOtherDataEndsTheStartBeforeADirectoryIsMade() throws IOException {
    Files.writeString(directory.resolve("data.key"), OTHER_KEY);

    refuse("data");

    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void aKeyOfOtherDataEndsTheStartInMemoryToo() throws IOException {
    Files.writeString(directory.resolve("data.key"), OTHER_KEY);

    refuse("data", "--storage", "memory");
  }

  @Tag("slow")
  @Test
  void aKeyThatWasRevokedEndsTheStartUntilItsFileIsDeleted() throws IOException {
    commands.make("data");
    String data = commands.path("data");
    String key = Commands.run(0, "apikey", "list", "--json", "--data-dir", data).out();
    Commands.run(0, "apikey", "revoke", Json.parse(key).get("id").textValue(), "--data-dir", data);

    refuse("data");

    assertThat(directory.resolve("data/server.json")).doesNotExist();
    assertThat(Commands.run(0, "apikey", "list", "--data-dir", data).out().lines()).hasSize(1);
    Files.delete(directory.resolve("data.key"));
    try (UpThread server = commands.start("data")) {
      assertThat(commands.client(server, "data").get("/v1/workspaces").status()).isEqualTo(200);
    }
    try (UpThread again = commands.start("data")) {
      assertThat(commands.client(again, "data").get("/v1/workspaces").status()).isEqualTo(200);
    }
  }

  private void refuse(String data, String... more) throws IOException {
    String file = commands.path(data + ".key");
    String key = Files.readString(Path.of(file)).strip();
    List<String> all =
        new ArrayList<>(List.of("up", "--data-dir", commands.path(data), "--api-key-file", file));
    all.addAll(List.of("--http-port", "0", "--grpc-port", "0"));
    all.addAll(List.of(more));

    Commands.Said said = Commands.run(1, all.toArray(String[]::new));

    assertThat(said.out()).isEmpty();
    assertThat(said.err())
        .contains(file, "Delete the file", "bridle apikey create")
        .doesNotContain(key, "\tat ");
  }
}
