package dev.bridle.cli.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Agents that others made, of the versions that {@code fixtures/agents} pins, installed by npm
 * below {@code target}.
 */
public final class ForeignAgents {
  private static final Path PINNED = Path.of("..", "fixtures", "agents");
  private static final Path INSTALLED = Path.of("target", "foreign-agents").toAbsolutePath();
  private static Optional<String> missing = Optional.empty();
  private static boolean tried;

  private ForeignAgents() {}

  /** Installs them once; returns why they can't be used here, if so. */
  public static synchronized Optional<String> missing() throws IOException, InterruptedException {
    if (!tried) {
      tried = true;
      missing = installAlone();
      missing.ifPresent(why -> System.out.println("Skipped: the agents of others: " + why));
    }
    return missing;
  }

  /** The path of an agent's program. */
  public static String program(String name) {
    return INSTALLED.resolve("node_modules").resolve(".bin").resolve(name).toString();
  }

  /** Tests in other processes install at the same place. */
  private static Optional<String> installAlone() throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED.getParent());
    try (FileChannel file =
            FileChannel.open(
                INSTALLED.resolveSibling("foreign-agents.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = file.lock()) {
      return held.isValid() ? install() : Optional.of("the lock was lost");
    }
  }

  private static Optional<String> install() throws IOException, InterruptedException {
    if (run(
            List.of(
                "node", "-e", "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)"))
        != 0) {
      return Optional.of("there is no Node.js 20 or later");
    }
    Files.createDirectories(INSTALLED);
    if (isInstalled()) {
      return Optional.empty();
    }
    Files.copy(
        PINNED.resolve("package.json"),
        INSTALLED.resolve("package.json"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(INSTALLED.resolve("package-lock.json"));
    Path lock = INSTALLED.resolve("package-lock.json");
    Files.copy(PINNED.resolve("package-lock.json"), lock);
    int exit = run(List.of("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"));
    if (exit == 0) {
      // The one script that is needed: it puts the program for this platform in place.
      exit =
          run(
              List.of(
                  "node",
                  INSTALLED.resolve("node_modules/opencode-ai/postinstall.mjs").toString()));
    }
    if (exit != 0) {
      Files.delete(lock); // The next run tries again.
      return Optional.of(
          "npm install ended with " + exit + "; see " + INSTALLED.resolve("npm.log"));
    }
    return Optional.empty();
  }

  private static boolean isInstalled() throws IOException {
    Path there = INSTALLED.resolve("package.json");
    return Files.exists(there)
        && Files.mismatch(there, PINNED.resolve("package.json")) < 0
        && Files.exists(Path.of(program("opencode")))
        && Files.exists(Path.of(program("qwen")));
  }

  private static int run(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Files.createDirectories(INSTALLED).toFile())
              .redirectErrorStream(true)
              .redirectOutput(INSTALLED.resolve("npm.log").toFile())
              .start();
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return -1;
      }
      return process.exitValue();
    } catch (IOException e) {
      return -1; // There is no such program.
    }
  }
}
