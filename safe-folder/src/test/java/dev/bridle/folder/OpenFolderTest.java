package dev.bridle.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens at the moments that a race is about, one by one. */
class OpenFolderTest {
  @TempDir Path inside;
  @TempDir Path outside;

  private OpenFolder folder;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectory(inside.resolve("sub"));
    Files.writeString(inside.resolve("sub/file"), "inside");
    Files.writeString(inside.resolve("file"), "inside");
    Files.writeString(outside.resolve("file"), "outside");
    folder = OpenFolder.at(inside).orElseThrow();
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
    assertThat(outside.resolve("file")).hasContent("outside");
    assertThat(outside.toFile().list()).containsExactly("file");
  }

  @Test
  void aFolderThatBecameALinkAfterALookIsNotOpened() throws IOException {
    assertThat(folder.look("sub")).hasValueSatisfying(is -> assertThat(is.isDirectory()).isTrue());
    swap();
    assertThatThrownBy(() -> folder.open("sub")).isInstanceOf(NotPlainException.class);
  }

  @Test
  void aFileThatBecameALinkAfterALookIsNotRead() throws IOException {
    assertThat(folder.look("file")).isPresent();
    Files.delete(inside.resolve("file"));
    Files.createSymbolicLink(inside.resolve("file"), outside.resolve("file"));
    assertThatThrownBy(() -> folder.read("file", 100)).isInstanceOf(NotPlainException.class);
  }

  @Test
  void aFileThatBecameALinkAfterALookIsReplacedAndNotWrittenThrough() throws IOException {
    Files.delete(inside.resolve("file"));
    Files.createSymbolicLink(inside.resolve("file"), outside.resolve("file"));
    folder.put("file", bytes("new"), Optional.empty());
    assertThat(inside.resolve("file")).isRegularFile().hasContent("new");
  }

  @Test
  void whatIsOpenStaysTheSameWhateverTakesItsPlace() throws IOException {
    try (OpenFolder sub = folder.open("sub")) {
      swap();
      assertThat(sub.read("file", 100)).isEqualTo(bytes("inside"));
      sub.put("file", bytes("new"), Optional.empty());
      sub.put("more", bytes("new"), Optional.empty());
    }
    assertThat(inside.resolve("parked/file")).hasContent("new");
    assertThat(inside.resolve("parked").toFile().list()).containsExactlyInAnyOrder("file", "more");
  }

  @Test
  void aFileHasItsModeBeforeItHasContentWhateverTheUmask() throws IOException {
    for (String mode : List.of("rw-------", "rw-rw-rw-", "rwxr-x---")) {
      Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);

      folder.put("file", bytes("secret"), Optional.of(permissions));

      assertThat(Files.getPosixFilePermissions(inside.resolve("file"))).isEqualTo(permissions);
    }
  }

  @Test
  void aFolderIsToldFromAnotherThatTookItsPath() throws IOException {
    Object before = folder.key().orElseThrow();
    Files.move(inside.resolve("sub"), inside.resolve("other"));

    try (OpenFolder again = OpenFolder.at(inside).orElseThrow();
        OpenFolder other = folder.open("other")) {
      assertThat(again.key()).contains(before);
      assertThat(other.key()).isPresent().get().isNotEqualTo(before);
    }
  }

  @Test
  void aWriteThatFailsLeavesNothing() throws IOException {
    assertThatThrownBy(() -> folder.put("sub", bytes("x"), Optional.empty()))
        .isInstanceOf(IOException.class);
    assertThat(inside.toFile().list()).containsExactlyInAnyOrder("sub", "file");
  }

  private void swap() throws IOException {
    Files.move(inside.resolve("sub"), inside.resolve("parked"));
    Files.createSymbolicLink(inside.resolve("sub"), outside);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
