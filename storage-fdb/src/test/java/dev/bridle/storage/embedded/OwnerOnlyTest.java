package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.get;
import static dev.bridle.storage.embedded.TestStore.put;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class OwnerOnlyTest {
  @TempDir private Path root;

  @Test
  void aNewDirectoryAndItsFilesAreTheirOwnersAlone() throws IOException {
    Path data = root.resolve("new/data");
    EmbeddedStore.open(data, EmbeddedOptions.DEFAULT).close();

    assertThat(modes(data)).containsExactlyInAnyOrder("rwx------", "rw-------");
  }

  @Test
  void aDirectoryThatOthersCouldReadIsClosedAtTheNextStart() throws IOException {
    Path data = root.resolve("data");
    try (EmbeddedStore store = EmbeddedStore.open(data, EmbeddedOptions.DEFAULT)) {
      put(store, "a", "1");
    }
    for (Path path : all(data)) {
      Files.setPosixFilePermissions(
          path,
          PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }

    Logger log = (Logger) LoggerFactory.getLogger(OwnerOnly.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try (EmbeddedStore store = EmbeddedStore.open(data, EmbeddedOptions.DEFAULT)) {
      assertThat(modes(data)).containsExactlyInAnyOrder("rwx------", "rw-------");
      assertThat(get(store, "a")).contains("1");
    } finally {
      log.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Other users could read the directory "
                + data
                + "; its mode is now 0700, and that of its files 0600.");
  }

  @Test
  void filesOfOthersInTheDirectoryKeepTheirModes() throws IOException {
    Path data = Files.createDirectory(root.resolve("data"));
    Path foreign = Files.writeString(data.resolve("notes.txt"), "mine");
    Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rw-r--r--"));

    EmbeddedStore.open(data, EmbeddedOptions.DEFAULT).close();

    assertThat(mode(foreign)).isEqualTo("rw-r--r--");
    assertThat(mode(data)).isEqualTo("rwx------");
  }

  @Test
  void backupsAreTheirOwnersAlone() throws IOException {
    Path backups = root.resolve("backups");
    try (EmbeddedStore store = EmbeddedStore.open(root.resolve("data"), EmbeddedOptions.DEFAULT)) {
      put(store, "a", "1");
      store.backUp(backups, 0);
    }

    assertThat(modes(backups)).containsExactlyInAnyOrder("rwx------", "rw-------");
  }

  private static Set<String> modes(Path root) throws IOException {
    return all(root).stream().map(OwnerOnlyTest::mode).collect(Collectors.toSet());
  }

  private static List<Path> all(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.toList();
    }
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
