package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A command on a terminal of its own, which {@code script} of util-linux makes. */
final class AtTerminal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final OutputStream keys;
  private final StringBuilder seen = new StringBuilder();
  private int read;

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

  static AtTerminal start(List<String> words) throws IOException {
    return start(words, Map.of());
  }

  /** Starts a command with further variables. */
  static AtTerminal start(List<String> words, Map<String, String> more) throws IOException {
    String line =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qefc", "exec " + line, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().putAll(more);
    return new AtTerminal(builder.start());
  }

  private void readAll() {
    try (InputStream out = process.getInputStream()) {
      byte[] some = new byte[4096];
      for (int count = out.read(some); count >= 0; count = out.read(some)) {
        synchronized (seen) {
          seen.append(new String(some, 0, count, StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Waits for a text after those that were waited for before. */
  void expect(String text) {
    await(text)
        .atMost(PATIENCE)
        .conditionEvaluationListener(none -> {})
        .untilAsserted(() -> assertThat(rest()).contains(text));
    synchronized (seen) {
      read = seen.indexOf(text, read) + text.length();
    }
  }

  private String rest() {
    synchronized (seen) {
      return seen.substring(read);
    }
  }

  String all() {
    synchronized (seen) {
      return seen.toString();
    }
  }

  void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  /** Returns the exit code. */
  int exit() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("%s", all()).isTrue();
    return process.exitValue();
  }

  /** Kills the command, not the terminal, as SIGKILL does. */
  void kill() {
    process.descendants().findFirst().orElseThrow().destroyForcibly();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
