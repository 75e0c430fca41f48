package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.fixtures.client.Answer;
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

@Tag("slow")
class WorkspaceRootIT {
  @TempDir Path directory;

  private Commands commands;
  private Path folders;

  @BeforeEach
  void aFolder() throws IOException {
    commands = new Commands(directory);
    folders = Files.createDirectory(directory.resolve("folders"));
  }

  @Test
  void filesLieInAFolderForAsLongAsTheServerHasIt() throws IOException {
    Path content = Files.writeString(directory.resolve("a.txt"), "one fish");
    Path file = folders.resolve("default/notes/2026/a.txt");
    String workspace;
    try (UpThread server = commands.start("data", "--workspace-root", folders.toString())) {
      workspace = made(server).json().get("id").textValue();
      said(
          0,
          server,
          List.of("write", workspace, "2026/a.txt", "--content-file", content.toString()));
      assertThat(file).hasContent("one fish");
      Files.writeString(file, "two fish");
      assertThat(said(0, server, List.of("read", workspace, "2026/a.txt"))).isEqualTo("two fish");

      Files.createSymbolicLink(folders.resolve("default/notes/link"), directory);
      assertThat(said(0, server, List.of("ls", workspace))).contains("2026").doesNotContain("link");
      assertThat(said(1, server, List.of("read", workspace, "link/a.txt")))
          .contains("policy_violation");

      assertThat(run(0, "storage", "check", "--data-dir", commands.path("data")).out())
          .isNotEmpty();
      run(
          0,
          "export",
          "--tenant",
          "default",
          "--output",
          commands.path("export"),
          "--data-dir",
          commands.path("data"));
    }

    try (UpThread server = commands.start("data")) {
      assertThat(said(1, server, List.of("read", workspace, "2026/a.txt")))
          .contains("policy_violation", "--workspace-root");
      assertThat(said(1, server, List.of("ls", workspace))).contains("--workspace-root");
      assertThat(
              said(
                  1,
                  server,
                  List.of("write", workspace, "b", "--content-file", content.toString())))
          .contains("--workspace-root");
      Answer refused = made(server);
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.text()).contains("policy_violation", "--workspace-root");
    }

    run(
        0,
        "tenant",
        "delete",
        "default",
        "--confirm",
        "default",
        "--data-dir",
        commands.path("data"));
    run(0, "storage", "check", "--data-dir", commands.path("data"));
    assertThat(file).as("an operator's file").hasContent("two fish");
  }

  @Test
  void aServerDoesNotStartOnARootThatCannotBeOne() throws IOException {
    refused("create the folder first", directory.resolve("absent"));
    refused("is not a folder", Files.createFile(directory.resolve("file")));
    refused("overlap", directory);
    try (UpThread server = commands.start("data", "--workspace-root", folders.toString())) {
      assertThat(server.stop()).isZero();
    }
    refused("is another folder", Files.createDirectory(directory.resolve("others")));
    assertThat(run(0, "up", "--help").out()).contains("--workspace-root=DIR");
  }

  private void refused(String why, Path root) {
    assertThatThrownBy(() -> commands.start("data", "--workspace-root", root.toString()))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining(why);
  }

  private Answer made(UpThread server) throws IOException {
    return commands
        .client(server, "data")
        .post("/v1/workspaces", Json.object().put("name", "Notes").put("root", "folder:notes"));
  }

  private String said(int exitCode, UpThread server, List<String> files) {
    List<String> all = new ArrayList<>(List.of("workspace", "files"));
    all.addAll(files);
    all.addAll(commands.at(server.url(), "data"));
    Commands.Said said = run(exitCode, all.toArray(new String[0]));
    return said.out() + said.err();
  }
}
