package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.Rehearsal;
import dev.bridle.cli.demo.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How tests run Bridle in processes: as the `bridle` script does, from the jar with an archive of
 * its classes. In the long runs, the first of a build's test processes makes the archive; until it
 * is there, the others do without. The plain build starts too few processes for it to pay, and does
 * without. Where no jar has been built, in an IDE, with the classes of this process.
 */
public final class BuiltBridle {
  /** The system property that names the jar. */
  private static final String JAR = "bridle.test.jar";

  /**
   * The system property that says whether tests that can do without the archive make and use it.
   */
  private static final String ARCHIVED = "bridle.test.archived";

  private static final List<String> FLAGS =
      List.of(
          "-XX:+ExitOnOutOfMemoryError",
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto");

  private BuiltBridle() {}

  /** Returns how to run Bridle in a process of its own. */
  public static JavaCommand java() {
    return java(
        Boolean.getBoolean(ARCHIVED) ? jar -> archive(jar, false) : jar -> Optional.empty());
  }

  /** Returns how to run Bridle with the archive, and waits for it where that is needed. */
  static JavaCommand archived() {
    return java(jar -> archive(jar, true));
  }

  private static JavaCommand java(Function<Path, Optional<Path>> archive) {
    Path jar = Path.of(System.getProperty(JAR, "")).toAbsolutePath();
    if (!Files.isRegularFile(jar)) {
      return JavaCommand.ofThisProcess();
    }
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-Dbridle.native=" + jar.resolveSibling("native"));
    archive.apply(jar).ifPresent(file -> flags.add("-XX:SharedArchiveFile=" + file));
    return JavaCommand.of(flags, jar.toString());
  }

  /** Returns the archive; empty while another test process makes it, which takes a while. */
  private static synchronized Optional<Path> archive(Path jar, boolean waits) {
    Path archive = jar.resolveSibling("bridle-test.jsa");
    try (FileChannel lockFile =
            FileChannel.open(
                jar.resolveSibling("bridle-test.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = waits ? lockFile.lock() : lockFile.tryLock()) {
      if (held == null) {
        return Optional.empty();
      }
      if (isOlder(archive, jar)) {
        make(archive, jar);
      }
      return Optional.of(archive);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOlder(Path archive, Path jar) throws IOException {
    return !Files.exists(archive)
        || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0;
  }

  private static void make(Path archive, Path jar) throws IOException {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-XX:ArchiveClassesAtExit=" + archive);
    List<String> command = new ArrayList<>(JavaCommand.of(flags, jar.toString()).words());
    command.add(Rehearsal.class.getName());
    Path log = archive.resolveSibling("bridle-test-archive.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor()).as("see %s", log).isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
