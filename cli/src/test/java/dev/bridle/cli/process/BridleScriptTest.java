package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the script at the root runs Java, with a Java that only says what it was given. */
final class BridleScriptTest {
  @TempDir private Path root;
  private Path archive;

  @BeforeEach
  void prepare() throws IOException {
    Files.copy(Path.of("../bridle"), root.resolve("bridle"));
    Path java = root.resolve("java/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Path target = Files.createDirectories(root.resolve("cli/target"));
    archive = Files.createFile(target.resolve("bridle.jsa"));
    Files.createFile(target.resolve("built"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--help", "task", "apikey", "up", "demo", ""})
  void everyCommandSharesTheArchivedClasses(String word) throws Exception {
    assertThat(run(word)).contains("-XX:SharedArchiveFile=" + archive.toRealPath());
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "harp-gateway"})
  void serversShareTheirOwnClassesWhereThereIsAnArchiveOfThem(String word) throws Exception {
    Path ofServers = Files.createFile(archive.resolveSibling("bridle-up.jsa"));

    assertThat(run(word))
        .contains("-XX:SharedArchiveFile=" + ofServers.toRealPath())
        .doesNotContain("-XX:SharedArchiveFile=" + archive.toRealPath());
    assertThat(run("task")).contains("-XX:SharedArchiveFile=" + archive.toRealPath());
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "harp-gateway", "run"})
  void whatStaysIsCompiledAsAServerIs(String word) throws Exception {
    assertThat(run(word)).contains("-Xmx512m").doesNotContain("-XX:TieredStopAtLevel=1");
    assertThat(run("task")).contains("-XX:TieredStopAtLevel=1");
  }

  @Test
  void withoutAnArchiveCommandsRunAllTheSame() throws Exception {
    Files.delete(archive);

    assertThat(run("version"))
        .noneMatch(option -> option.contains("SharedArchiveFile"))
        .endsWith("dev.bridle.cli.Main", "version");
  }

  @Test
  void theNativeLibraryLiesBesideTheJarForAllDataDirectories() throws Exception {
    Path target = archive.toRealPath().getParent();
    for (String word : List.of("up", "demo", "storage")) {
      assertThat(run(word)).as(word).contains("-Dbridle.native=" + target.resolve("native"));
    }
  }

  @Test
  void whatIsPipedIsNoTerminal() throws Exception {
    assertThat(run("task", "list")).noneMatch(option -> option.contains("bridle.terminal"));
  }

  @Test
  void wordsArePassedAsTheyAre() throws Exception {
    assertThat(run("task", "submit", "--text", "one  two\t*"))
        .endsWith("dev.bridle.cli.Main", "task", "submit", "--text", "one  two\t*");
  }

  private List<String> run(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", root.toRealPath() + "/bridle"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", root.resolve("java").toString());
    builder.environment().remove("BRIDLE_JAVA_OPTS");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList();
  }
}
