package dev.bridle.cli.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Programs of others, of the versions that a folder below {@code fixtures} pins, installed by npm
 * below {@code target}.
 */
public final class NodePackages {
  private final String what;
  private final Path pinned;
  private final Path installed;
  private final List<String> programs;
  private final List<String> after;
  private Optional<String> missing = Optional.empty();
  private boolean tried;

  /**
   * Names packages.
   *
   * @param what is said to be skipped where they can't be had
   * @param name the folder below {@code fixtures}
   * @param programs what is there once they are installed, below the folder
   * @param after arguments of the one script that is needed, for node; none if it is empty
   */
  public NodePackages(String what, String name, List<String> programs, List<String> after) {
    this.what = what;
    this.pinned = Path.of("..", "fixtures", name);
    this.installed = Path.of("target", "foreign-" + name.replace('/', '-')).toAbsolutePath();
    this.programs = programs;
    this.after = after;
  }

  /** Returns the folder that they are installed in. */
  public Path folder() {
    return installed;
  }

  /** Installs them once; returns why they can't be used here, if so. */
  public synchronized Optional<String> missing() throws IOException, InterruptedException {
    if (!tried) {
      tried = true;
      missing = installAlone();
      missing.ifPresent(why -> System.out.println("Skipped: " + what + ": " + why));
    }
    return missing;
  }

  /** Tests in other processes install at the same place. */
  private Optional<String> installAlone() throws IOException, InterruptedException {
    Files.createDirectories(installed.getParent());
    try (FileChannel file =
            FileChannel.open(
                installed.resolveSibling(installed.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = file.lock()) {
      return held.isValid() ? install() : Optional.of("the lock was lost");
    }
  }

  private Optional<String> install() throws IOException, InterruptedException {
    if (run(
            List.of(
                "node", "-e", "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)"))
        != 0) {
      return Optional.of("there is no Node.js 20 or later");
    }
    Files.createDirectories(installed);
    if (isInstalled()) {
      return Optional.empty();
    }
    copy("package.json");
    Path lock = installed.resolve("package-lock.json");
    copy("package-lock.json");
    int exit = npm("ci");
    if (exit != 0) {
      // npm 11 refuses a lock file that lacks packages for other systems, as where a registry does
      // not offer them. This takes the same pinned versions, and checks their hashes too.
      exit = npm("install", "--no-save");
    }
    if (exit == 0 && !after.isEmpty()) {
      exit = run(after);
    }
    if (exit != 0) {
      Files.delete(lock); // The next run tries again.
      return Optional.of("npm ended with " + exit + "; see " + installed.resolve("npm.log"));
    }
    return Optional.empty();
  }

  private int npm(String... command) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("npm"));
    words.addAll(List.of(command));
    words.addAll(List.of("--ignore-scripts", "--no-audit", "--no-fund"));
    return run(words);
  }

  private void copy(String file) throws IOException {
    Files.copy(pinned.resolve(file), installed.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  private boolean isInstalled() throws IOException {
    Path there = installed.resolve("package-lock.json");
    return Files.exists(there)
        && Files.mismatch(there, pinned.resolve("package-lock.json")) < 0
        && programs.stream().allMatch(program -> Files.exists(installed.resolve(program)));
  }

  private int run(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Files.createDirectories(installed).toFile())
              .redirectErrorStream(true)
              .redirectOutput(installed.resolve("npm.log").toFile())
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
