package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * `bridle up` on a disk of 64 MB that only it sees: a file system in memory, mounted in a name
 * space of its own. Commands to the shell beside it change the disk.
 */
final class SmallDisk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SmallDisk.class);
  private static final List<String> NAMESPACE =
      List.of("unshare", "--user", "--map-root-user", "--mount");
  private static final long END_SECONDS = 60;

  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter shell;
  private final Path errors;

  private SmallDisk(Process process, Path errors) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.shell = process.outputWriter(StandardCharsets.UTF_8);
    this.errors = errors;
  }

  /**
   * Starts it.
   *
   * @param directory where the disk is mounted, and the data lies
   * @param before a command that runs first, on the mounted disk
   */
  static SmallDisk start(Path directory, String before, String... options) throws Exception {
    boolean possible = possible();
    if (!possible) {
      LOG.warn("Skipped: this system lets nobody mount a small disk in a name space (unshare)");
    }
    assumeTrue(possible, "this system lets nobody mount a small disk in a name space (unshare)");
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>(NAMESPACE);
    command.addAll(
        List.of(
            "sh",
            "-c",
            "disk=$0; mount -t tmpfs -o size=192m tmpfs \"$disk\" && "
                + before
                + " && { exec 3<&0; (while read -r line <&3; do eval \"$line\"; done) & \"$@\"; }",
            directory.toString()));
    List<String> up =
        new ArrayList<>(List.of("up", "--json", "--http-port", "0", "--grpc-port", "0"));
    up.addAll(List.of("--data-dir", directory.toString()));
    up.addAll(List.of(options));
    command.addAll(BuiltBridle.java().bridle(up));
    Path errors = directory.resolveSibling("stderr");
    return new SmallDisk(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  private static boolean possible() throws InterruptedException {
    List<String> command = new ArrayList<>(NAMESPACE);
    command.addAll(List.of("sh", "-c", "mount -t tmpfs tmpfs /mnt"));
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns what the server says once it is ready. */
  JsonNode ready() throws IOException {
    String line = out.readLine();
    assertThat(line).as(Files.readString(errors)).isNotNull();
    return Json.parse(line);
  }

  /** Runs a command beside the server; {@code $disk} is the disk. */
  void run(String command) throws IOException {
    shell.write(command + "\n");
    shell.flush();
  }

  /** Waits for the end and returns the lines on stderr. */
  List<String> failure() throws Exception {
    assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS)).as("it must end").isTrue();
    List<String> lines = Files.readAllLines(errors);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isEqualTo(1);
    return lines;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
