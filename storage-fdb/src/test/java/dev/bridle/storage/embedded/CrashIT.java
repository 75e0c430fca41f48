package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.refusalOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.sampling.Sample;
import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a process has acknowledged survives its sudden end. */
@Tag("slow")
class CrashIT {
  private static final int THREADS = 4;
  private static final Pattern ACKNOWLEDGEMENT = Pattern.compile("(\\d+) (\\d+)");

  @TempDir Path directory;

  /** The last number that each thread was told to be durable, over all processes. */
  private final Map<Integer, Long> acknowledged = new TreeMap<>();

  private final List<String> failures = new ArrayList<>();

  static List<Integer> seeds() {
    return Sample.of("seeds of kills").among(1, 4);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingAcknowledgedIsMissingAfterAKill(long seed) throws Exception {
    Random random = new Random(seed);
    for (int round = 0; round < 5; round++) {
      Process process = start(List.of(), 64);
      try (BufferedReader out = output(process)) {
        for (int i = random.nextInt(3_000); i >= 0; i--) {
          note(out.readLine());
        }
        assertThat(refusalOf(() -> EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)).reason())
            .isEqualTo(Reason.IN_USE);
        // Process.destroyForcibly would close the pipe with acknowledgements still in it.
        process.toHandle().destroyForcibly();
        drain(out);
      }
      process.waitFor();
      assertThat(failures).isEmpty();
      verify();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "limits the size of files by ulimit -f")
  void aLogThatCannotGrowFailsTheStoreAndLosesNothingAcknowledged() throws Exception {
    List<String> limited = List.of("bash", "-c", "ulimit -f 24000; exec \"$0\" \"$@\"");
    Process process = start(limited, 50_000);
    try (BufferedReader out = output(process)) {
      drain(out);
    }
    assertThat(process.waitFor()).isZero();
    assertThat(failures).hasSize(THREADS).containsOnly("failed STORE_FAILED");
    assertThat(acknowledged).hasSize(THREADS);
    verify();
  }

  private void verify() {
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      acknowledged.forEach(
          (thread, number) -> {
            long last = number(store, CommittingProcess.lastOf(thread));
            assertThat(last).isBetween(number, number + 1);
            for (long i = 1; i <= last; i++) {
              assertThat(number(store, TestStore.bytes("all/" + thread + "/" + i))).isEqualTo(i);
            }
          });
    }
  }

  private static long number(EmbeddedStore store, byte[] key) {
    return ByteBuffer.wrap(store.read(tr -> tr.get(key)).orElseThrow()).getLong();
  }

  private Process start(List<String> before, int valueBytes) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            CommittingProcess.class.getName(),
            directory.toString(),
            "" + THREADS,
            "" + valueBytes));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private void drain(BufferedReader out) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      note(line);
    }
  }

  private void note(String line) {
    if (line.startsWith("failed")) {
      failures.add(line);
      return;
    }
    // A kill may cut the last line short; a shorter number is a lower one, which loses nothing.
    Matcher parts = ACKNOWLEDGEMENT.matcher(line);
    if (parts.matches()) {
      acknowledged.merge(Integer.valueOf(parts.group(1)), Long.valueOf(parts.group(2)), Math::max);
    }
  }
}
