package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.BackupFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup that somebody else has made leads nowhere outside of its folder. */
class PlainTreeTest {
  @TempDir private Path directory;
  private Path backup;
  private Path outside;

  @BeforeEach
  void make() throws IOException {
    backup = Files.createDirectories(directory.resolve("backup"));
    Files.createDirectories(backup.resolve("meta"));
    Files.writeString(backup.resolve("meta/1"), "a backup");
    outside = Files.writeString(directory.resolve("outside"), "of somebody else");
    Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rw-r--r--"));
  }

  @Test
  void foldersAndRegularFilesAreTakenAlsoByALinkToThem() throws IOException {
    Path named = Files.createSymbolicLink(directory.resolve("newest"), backup);

    assertThatCode(() -> PlainTree.require(backup)).doesNotThrowAnyException();
    assertThatCode(() -> PlainTree.require(named)).doesNotThrowAnyException();
  }

  @Test
  void aLinkIsRefusedByNameAndWhereItLeadsNothingIsChanged() throws IOException {
    Files.createSymbolicLink(backup.resolve("private"), outside);

    assertRefused("private is a link");
  }

  @Test
  void aLinkToAFolderIsRefused() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("other/private"));
    Files.createSymbolicLink(backup.resolve("private"), folder);

    assertRefused("private is a link");
  }

  @Test
  void aFileThatHasAnotherNameElsewhereIsRefused() throws IOException {
    Files.createLink(backup.resolve("meta/2"), outside);

    assertRefused("2 is a file of several names");
  }

  @Test
  void aPipeIsRefusedAndNotWaitedFor() throws Exception {
    Path pipe = backup.resolve("meta/2");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertRefused("2 is no regular file");
  }

  private void assertRefused(String why) throws IOException {
    assertThatThrownBy(() -> BackupFolder.existing(backup, directory.resolve("scratch")))
        .isInstanceOf(BackupFailedException.class)
        .hasMessageContaining(why);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(outside)))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void closingATreeFollowsNoLink() throws IOException {
    Files.createSymbolicLink(backup.resolve("private"), outside);

    OwnerOnly.closeAll(List.of(backup));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(outside)))
        .isEqualTo("rw-r--r--");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(backup.resolve("meta/1"))))
        .isEqualTo("rw-------");
  }
}
