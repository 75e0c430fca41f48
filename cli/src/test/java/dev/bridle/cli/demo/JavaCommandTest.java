package dev.bridle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JavaCommandTest {
  @TempDir private Path target;

  @ParameterizedTest
  @ValueSource(strings = {"up", "harp-gateway"})
  void aServerIsStartedWithTheArchiveOfServers(String command) throws IOException {
    Path ofServers = Files.createFile(target.resolve("bridle-up.jsa"));

    assertThat(java("bridle.jsa").bridle(List.of(command, "--json")))
        .containsSubsequence("-Xmx1g", archive(ofServers), "-cp", "x.jar", command, "--json");
  }

  @Test
  void whereThereIsNoneWithThatOfAllCommands() {
    assertThat(java("bridle.jsa").bridle(List.of("up")))
        .contains(archive(target.resolve("bridle.jsa")));
  }

  @Test
  void otherCommandsAndOtherArchivesStayAsTheyAre() throws IOException {
    Files.createFile(target.resolve("bridle-up.jsa"));

    assertThat(java("bridle.jsa").bridle(List.of("task")))
        .contains(archive(target.resolve("bridle.jsa")));
    assertThat(java("other.jsa").bridle(List.of("up")))
        .contains(archive(target.resolve("other.jsa")));
  }

  @Test
  void anotherOptionStandsBeforeTheRest() {
    assertThat(JavaCommand.of(List.of("-Xmx1g"), "x.jar").with("-Xint").words().subList(1, 5))
        .containsExactly("-Xint", "-Xmx1g", "-cp", "x.jar");
  }

  private JavaCommand java(String archive) {
    return JavaCommand.of(List.of("-Xmx1g", archive(target.resolve(archive))), "x.jar");
  }

  private static String archive(Path path) {
    return "-XX:SharedArchiveFile=" + path;
  }
}
