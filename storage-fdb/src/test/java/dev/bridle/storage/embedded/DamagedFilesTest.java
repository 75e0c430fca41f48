package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.failureOf;
import static dev.bridle.storage.embedded.TestStore.get;
import static dev.bridle.storage.embedded.TestStore.put;
import static dev.bridle.storage.embedded.TestStore.refusalOf;
import static dev.bridle.storage.embedded.TestStore.version;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that lie behind many syncs, and are then lost or spoilt. */
class DamagedFilesTest {
  private static final int KEYS = 40;
  private static final EmbeddedOptions OPTIONS =
      new EmbeddedOptions(1 << 20, 256 << 10, 64, 1 << 20, 1 << 20, 10, 0, false);
  private static final EmbeddedOptions ACCEPTING = OPTIONS.withAcceptLoss(true);

  @TempDir Path root;

  private Path directory;
  private long acknowledged;

  /** Some sorted files, and a log. */
  @BeforeEach
  void write() {
    directory = root.resolve("data");
    for (int part = 0; part < 2; part++) {
      try (EmbeddedStore store = EmbeddedStore.open(directory, OPTIONS)) {
        for (int i = 0; i < KEYS; i++) {
          put(store, "key" + i, value(i));
        }
      }
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory, OPTIONS)) {
      put(store, "last", "one");
      acknowledged = version(store);
    }
    assertThat(files(".sst")).isNotEmpty();
  }

  @Test
  void aMissingSortedFileIsNamed() throws IOException {
    Path lost = files(".sst").get(0);
    Files.delete(lost);
    assertRefused(Reason.DAMAGED, lost.getFileName().toString());
  }

  @Test
  void aSortedFileThatIsCutShortIsNamed() throws IOException {
    Path cut = files(".sst").get(0);
    LogDamage.CUT.apply(cut, Files.size(cut) / 2, new Random(1));
    assertRefused(Reason.DAMAGED, cut.getFileName().toString());
  }

  @Test
  void aMissingManifestIsNamed() throws IOException {
    Path lost = files("MANIFEST").get(0);
    Files.delete(lost);
    assertRefused(Reason.DAMAGED, lost.getFileName().toString());
  }

  @Tag("slow")
  @Test
  void aManifestThatIsCutAnywhereLosesNothingWithoutAWord() throws IOException {
    Path manifest = files("MANIFEST").get(0);
    byte[] whole = Files.readAllBytes(manifest);
    Path kept = TestStore.copyAsAfterACrash(directory, root.resolve("kept"));
    int refused = 0;
    for (int length = whole.length - 1; length >= 0; length -= 1 + whole.length / 60) {
      Path copy = TestStore.copyAsAfterACrash(kept, root.resolve("cut-" + length));
      try (FileChannel file =
          FileChannel.open(
              copy.resolve("rocksdb").resolve(manifest.getFileName()), StandardOpenOption.WRITE)) {
        file.truncate(length);
      }
      try (EmbeddedStore store = EmbeddedStore.open(copy, OPTIONS)) {
        assertComplete(store);
      } catch (OpenRefusedException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aSpoiltManifestIsRefused() throws IOException {
    LogDamage.SCRIBBLE.apply(files("MANIFEST").get(0), 20, new Random(3));
    assertThat(refusalOf(() -> EmbeddedStore.open(directory, OPTIONS)).reason())
        .isIn(Reason.DAMAGED, Reason.ACKNOWLEDGED_DATA_MISSING);
  }

  @Test
  void aMissingCurrentFileIsNamedAndNoFreshStoreIsMade() throws IOException {
    Files.delete(directory.resolve("rocksdb/CURRENT"));
    assertRefused(Reason.DAMAGED, "rocksdb/CURRENT is missing");
    Files.delete(directory.resolve("acknowledged"));
    assertRefused(Reason.DAMAGED, "rocksdb/CURRENT is missing");
  }

  @Test
  void aSpoiltCurrentFileIsRefused() throws IOException {
    Files.writeString(directory.resolve("rocksdb/CURRENT"), "nonsense\n");
    assertRefused(Reason.DAMAGED, "CURRENT");
  }

  @Test
  void aVanishedFolderOfFilesIsRefused() throws IOException {
    Files.move(directory.resolve("rocksdb"), root.resolve("elsewhere"));
    assertRefused(Reason.ACKNOWLEDGED_DATA_MISSING, "versions 1 to " + acknowledged);
  }

  @Test
  void aMarkThatCannotBeIsRefusedAndPassedOverOnceTheLossIsAccepted() throws IOException {
    for (String mark : List.of("\u007fabcdefg", "\u0000zzzzzzz")) {
      Files.writeString(directory.resolve("acknowledged"), mark, UTF_8);
      assertRefused(Reason.ACKNOWLEDGED_DATA_MISSING, "'acknowledged' is damaged");
    }
    Files.write(directory.resolve("acknowledged"), new byte[] {-1, 0, 0, 0, 0, 0, 0, 0});
    assertRefused(Reason.ACKNOWLEDGED_DATA_MISSING, "'acknowledged' is damaged");
    try (EmbeddedStore store = EmbeddedStore.open(directory, ACCEPTING)) {
      assertComplete(store);
      assertThat(version(store)).isGreaterThan(acknowledged);
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory, OPTIONS)) {
      assertComplete(store);
    }
  }

  @Test
  void acceptedLossOfTheCurrentFileGoesOnWithWhatTheSortedFilesHoldAndKeepsTheOldFilesAside()
      throws IOException {
    Files.delete(directory.resolve("rocksdb/CURRENT"));
    try (EmbeddedStore store = EmbeddedStore.open(directory, ACCEPTING)) {
      assertThat(get(store, "key0")).contains(value(0));
      assertThat(version(store)).isGreaterThanOrEqualTo(acknowledged);
      put(store, "later", "write");
    }
    assertThat(directory.resolve("damaged-1")).isNotEmptyDirectory();
    try (EmbeddedStore store = EmbeddedStore.open(directory, OPTIONS)) {
      assertThat(get(store, "later")).contains("write");
    }
  }

  @Test
  void whereNothingCanBeRecoveredAcceptedLossChangesNothing() throws IOException {
    for (Path file : files("")) {
      if (!file.toString().endsWith(".sst")) {
        Files.delete(file);
      }
    }
    List<Path> before = files("");
    OpenRefusedException refusal = refusalOf(() -> EmbeddedStore.open(directory, ACCEPTING));
    assertThat(refusal.reason()).isEqualTo(Reason.DAMAGED);
    assertThat(refusal).hasMessageContaining("Nothing can be recovered");
    assertThat(files("")).containsExactlyElementsOf(before);
    assertThat(directory.resolve("damaged-1")).doesNotExist();
  }

  @Test
  void aSpoiltBlockIsAnErrorAtReadingAndStopsTheStoreAndIsNeverWrongData() throws IOException {
    for (Path file : files(".sst")) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), 100);
      }
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory, OPTIONS)) {
      assertThat(failureOf(() -> readAll(store))).isEqualTo(Code.STORE_FAILED);
      await().until(() -> store.failure().isDone());
      assertThat(store.failure().join()).hasRootCauseMessage(cause(store));
      assertThat(cause(store)).contains("checksum").contains(".sst");
      assertThat(failureOf(() -> put(store, "x", "y"))).isEqualTo(Code.STORE_FAILED);
    }
  }

  private static String cause(EmbeddedStore store) {
    return store.failure().join().getCause().getMessage();
  }

  private static void readAll(EmbeddedStore store) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(get(store, "key" + i)).contains(value(i));
    }
  }

  private static void assertComplete(EmbeddedStore store) {
    readAll(store);
    assertThat(get(store, "last")).contains("one");
  }

  private void assertRefused(Reason reason, String named) {
    OpenRefusedException refusal = refusalOf(() -> EmbeddedStore.open(directory, OPTIONS));
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining(named)
        .hasMessageContaining("--accept-loss");
  }

  private static String value(int i) {
    byte[] random = new byte[25_000];
    new Random(i).nextBytes(random);
    StringBuilder text = new StringBuilder();
    for (byte one : random) {
      text.append((char) ('a' + (one & 15)));
    }
    return text.toString();
  }

  private List<Path> files(String part) {
    try (Stream<Path> all = Files.list(directory.resolve("rocksdb"))) {
      return all.filter(file -> file.getFileName().toString().contains(part)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
