package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTailTest {
  private static final int BLOCK = 32 << 10;

  @TempDir private Path directory;

  @Test
  void aSoundLogIsSoundToItsEnd() throws IOException {
    written();

    assertThat(validEnd(log())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 9, 10, 48, 130, 185})
  void damageThatTheEngineGetsOverIsLeftToIt(int type) throws IOException {
    written();
    spoil(log(), type);

    assertThat(validEnd(log())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7, 8, 11, 131})
  void whatTheEngineWouldStayAtForEverIsCutOffAndKept(int type) throws IOException {
    written();
    Path log = log();
    long sound = Files.size(log);
    spoil(log, type);
    long whole = Files.size(log);
    assertThat(validEnd(log)).hasValue(sound);

    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      new NumberedCommits(1).check(store, 20, 20);
    }
    try (Stream<Path> files = Files.list(log.getParent())) {
      assertThat(files.filter(file -> file.toString().endsWith(".log.cut")))
          .singleElement()
          .satisfies(rest -> assertThat(Files.size(rest)).isEqualTo(whole - sound));
    }
  }

  private void written() {
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      new NumberedCommits(1).commit(store, 0, 20);
    }
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  /** Appends a record that is none, and two blocks that begin as ones of a type. */
  private static void spoil(Path log, int type) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      long end = channel.size();
      ByteBuffer garbage = ByteBuffer.allocate(3 * BLOCK);
      for (int i = 0; i < garbage.capacity(); i++) {
        long at = end + i;
        garbage.put(i, (byte) (at % BLOCK == 6 ? type : 0x55));
      }
      while (garbage.hasRemaining()) {
        channel.write(garbage, end + garbage.position());
      }
    }
  }

  private static OptionalLong validEnd(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      return LogTail.validEnd(channel);
    }
  }
}
