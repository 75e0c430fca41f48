package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where RocksDB's library lies, once for all processes that are told the same folder. */
final class NativeLibraryTest {
  private static final FileTime EARLIER = FileTime.fromMillis(0);

  @TempDir private Path directory;

  @Test
  void isUnpackedOnce() throws IOException {
    Path library = only(NativeLibrary.unpack(directory.resolve("native")));
    assertThat(library).isNotEmptyFile();
    Files.setLastModifiedTime(library, EARLIER);

    assertThat(only(NativeLibrary.unpack(directory.resolve("native")))).isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(EARLIER);
  }

  @Test
  void isUnpackedAgainWhereOnlyAPartIsThere() throws IOException {
    Path library = only(NativeLibrary.unpack(directory));
    long size = Files.size(library);
    Files.write(library, new byte[] {1});

    assertThat(only(NativeLibrary.unpack(directory))).hasSize(size);
  }

  @Test
  void isNotWhereNoFolderCanBe() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> NativeLibrary.unpack(file)).isInstanceOf(IOException.class);
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }
}
