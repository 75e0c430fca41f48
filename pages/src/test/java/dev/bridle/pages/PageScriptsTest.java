package dev.bridle.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The modules of the page compute the test vectors of HARP devices, and keep their rules. */
final class PageScriptsTest {
  private static final Path TESTS = Path.of("src", "test", "js");
  private static final String VERSION = "process.exit(+process.versions.node.split('.')[0])";
  private static final int NEEDED = 20;

  /** From this one on, a file without a type is read as a module where it is one. */
  private static final int DETECTS_MODULES = 22;

  @TempDir private Path folder;

  private int run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end");
    }
    return process.exitValue();
  }

  /** Returns the major version of Node.js; 0 if it is not here. */
  private int node() throws InterruptedException {
    try {
      return run(List.of("node", "-e", VERSION));
    } catch (IOException none) {
      return 0;
    }
  }

  @Test
  void allTestsOfTheModulesPass() throws Exception {
    int version = node();
    String reason =
        "Skipped: the page's modules are not tested without Node.js " + NEEDED + " or later.";
    if (version < NEEDED) {
      System.out.println(reason);
    }
    assumeTrue(version >= NEEDED, reason);
    List<String> command = new ArrayList<>(List.of("node"));
    if (version < DETECTS_MODULES) {
      command.add("--experimental-default-type=module");
    }
    command.add("--test");
    try (Stream<Path> tests = Files.list(TESTS)) {
      tests
          .filter(file -> file.toString().endsWith(".test.mjs"))
          .sorted()
          .forEach(file -> command.add(file.toString()));
    }

    int code = run(command);

    String said = Files.readString(folder.resolve("out.txt"), UTF_8);
    assertThat(code).as(said).isZero();
    assertThat(said).containsPattern("pass [1-9][0-9]+").containsPattern("fail 0");
  }
}
