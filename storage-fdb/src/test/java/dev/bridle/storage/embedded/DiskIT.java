package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.sampling.Sample;
import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Disks that are full, nearly full, read-only, or another's: real ones, small and in memory. */
@Tag("slow")
class DiskIT {
  private static final Logger LOG = LoggerFactory.getLogger(DiskIT.class);
  private static final long TIME_LIMIT_SECONDS = 120;
  private static final List<String> NAMESPACE =
      List.of("unshare", "--user", "--map-root-user", "--mount");

  @TempDir Path directory;

  @Test
  void aFullDiskFailsTheStoreOnceAndNothingAcknowledgedIsLost() throws Exception {
    List<String> lines = onSmallDisk("\"$@\"", "fill", directory.toString(), "0");
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).isEqualTo("failed STORE_FAILED true");
    assertThat(lines.get(1)).isEqualTo("again STORE_FAILED");
    assertThat(lines.get(2)).matches("cause .*(No space left|\\d bytes left on the disk).*");
    assertThat(lines.get(3)).isEqualTo("reopened true");
    assertThat(lines.get(4)).isEqualTo("then committed");
  }

  /** What RocksDB's own threads meet first, a flush or a merge, is another thing each time. */
  static List<Integer> timesThatADiskIsFilled() {
    return Sample.of("full disks").among(1, 30);
  }

  @ParameterizedTest
  @MethodSource("timesThatADiskIsFilled")
  void aDiskThatIsFullAtAnyPointNeitherHangsTheStoreNorLosesWhatIsAcknowledged(int time)
      throws Exception {
    aFullDiskFailsTheStoreOnceAndNothingAcknowledgedIsLost();
  }

  @Test
  void anAlmostFullDiskRefusesWritesKeepsReadingAndGoesOnOnceThereIsRoom() throws Exception {
    // As much as the files take, so that merging them never runs out of room by itself.
    int watermark = 20 << 20;
    List<String> lines = onSmallDisk("\"$@\"", "fill", directory.toString(), "" + watermark);
    assertThat(lines)
        .containsExactly(
            "failed DISK_LOW true",
            "again DISK_LOW",
            "readable true",
            "room again",
            "reopened true",
            "then committed");
  }

  @Test
  void aReadOnlyDirectoryIsRefusedInOneSentence() throws Exception {
    List<String> lines =
        onSmallDisk(
            "\"$@\" && mount -o remount,ro \"$disk\" && \"$@\"", "open", directory.toString());
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).isEqualTo("opened");
    assertThat(lines.get(1))
        .startsWith("refused UNREADABLE The data directory " + directory)
        .contains("Read-only file system")
        .contains("check that it may be written");
  }

  @Test
  void aSecondProcessIsRefusedAndToldWhoHasTheDirectory() throws Exception {
    String pid = "(process " + ProcessHandle.current().pid() + ")";
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      TestStore.put(store, "key", "value");
      OpenRefusedException here =
          refusalOf(() -> EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT));
      assertThat(here.reason()).isEqualTo(Reason.IN_USE);
      assertThat(here).hasMessageContaining("in use").hasMessageContaining(pid);
      // The attempt above must not have loosened the lock, as closing a file of one's own does.
      assertThat(run(java("open", directory.toString())))
          .singleElement()
          .asString()
          .startsWith("refused IN_USE")
          .contains(pid);
    }
    assertThat(run(java("open", directory.toString()))).containsExactly("opened");
  }

  private List<String> onSmallDisk(String script, String... arguments) throws Exception {
    boolean possible = possible();
    if (!possible) {
      LOG.warn("Skipped: this system lets nobody mount a small disk in a name space (unshare)");
    }
    assumeTrue(possible, "this system lets nobody mount a small disk in a name space (unshare)");
    List<String> command = new ArrayList<>(NAMESPACE);
    String mount = "disk=$0; mount -t tmpfs -o size=64m tmpfs \"$disk\" && ";
    command.addAll(List.of("sh", "-c", mount + script, directory.toString()));
    command.addAll(java(arguments));
    return run(command);
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

  private static List<String> java(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                DiskProcess.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private List<String> run(List<String> command) throws Exception {
    Path log = Files.createTempFile("disk-it", ".log");
    try {
      Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
      process
          .onExit()
          .orTimeout(TIME_LIMIT_SECONDS, TimeUnit.SECONDS)
          .exceptionally(late -> process.destroyForcibly());
      List<String> lines;
      try (var out = process.inputReader(StandardCharsets.UTF_8)) {
        // The test logger writes to stdout too, with the time in front.
        lines = out.lines().filter(line -> !line.matches("\\d\\d:.*|\\s+at .*|org\\..*")).toList();
      }
      assertThat(process.waitFor()).as(Files.readString(log)).isZero();
      return lines;
    } finally {
      Files.delete(log);
    }
  }
}
