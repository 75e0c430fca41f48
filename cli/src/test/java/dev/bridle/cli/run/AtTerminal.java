package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A command on a terminal of its own, which {@code script} of util-linux makes. */
final class AtTerminal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Process process;
  private final OutputStream keys;
  private final SeenText seen = new SeenText();

  private AtTerminal(Process process) {
    this.process = process;
    this.keys = process.getOutputStream();
    Thread reader = new Thread(this::readAll, "terminal-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Returns why there are no terminals here; empty if there are. */
  static String missing() {
    try {
      Process probe = new ProcessBuilder("script", "-qec", "true", "/dev/null").start();
      probe.getOutputStream().close();
      return probe.waitFor() == 0 ? "" : "script of util-linux does not work here";
    } catch (IOException e) {
      return "there is no script of util-linux";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Skips a test where there are no terminals. */
  static void assumeThere() {
    String missing = missing();
    if (!missing.isEmpty()) {
      System.out.println("Skipped: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
  }

  static AtTerminal start(List<String> words) throws IOException {
    return start(words, Map.of());
  }

  /** Starts a command with further variables. */
  static AtTerminal start(List<String> words, Map<String, String> more) throws IOException {
    String line = words.stream().map(AtTerminal::quoted).collect(Collectors.joining(" "));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qefc", "exec " + line, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", "dumb"); // Lines as they are, if nothing else is said.
    builder.environment().putAll(more);
    return new AtTerminal(builder.start());
  }

  /** Returns a word as the shell reads it. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private void readAll() {
    try (InputStream out = process.getInputStream()) {
      byte[] some = new byte[4096];
      for (int count = out.read(some); count >= 0; count = out.read(some)) {
        seen.add(new String(some, 0, count, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Waits for a text after those that were waited for before; returns what came until then. */
  String until(String text) {
    return seen.until(text);
  }

  /** Waits for a text after those that were waited for before. */
  void expect(String text) {
    seen.expect(text);
  }

  String all() {
    return seen.all();
  }

  /** Gives the terminal another size, as a person does with the mouse. */
  void resize(int columns, int rows) throws IOException, InterruptedException {
    ProcessHandle command = process.children().findFirst().orElseThrow();
    String name = Files.readSymbolicLink(Path.of("/proc/" + command.pid() + "/fd/1")).toString();
    Process resize =
        new ProcessBuilder("stty", "-F", name, "cols", "" + columns, "rows", "" + rows)
            .inheritIO()
            .start();
    assertThat(resize.waitFor()).isZero();
  }

  void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  /** Returns the exit code. */
  int exit() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(this::stuck).isTrue();
    return process.exitValue();
  }

  /** Returns what has come, and who is still there with how much work behind them. */
  private String stuck() {
    return all()
        + processes().stream()
            .map(left -> left.info() + "\n")
            .collect(Collectors.joining("", "\nstill there:\n", ""));
  }

  /** Kills the command, not the terminal, as SIGKILL does; what has ended stays as it is. */
  void kill() {
    process.children().forEach(ProcessHandle::destroyForcibly);
  }

  /** Returns the processes that the command has now. */
  List<ProcessHandle> processes() {
    return process.descendants().toList();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
