package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.get;
import static dev.bridle.storage.embedded.TestStore.newestLog;
import static dev.bridle.storage.embedded.TestStore.put;
import static dev.bridle.storage.embedded.TestStore.refusalOf;
import static dev.bridle.storage.embedded.TestStore.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcknowledgedMarkTest {
  private static final int COMMITS = 100;

  @TempDir Path root;

  private Path crashed;
  private long acknowledged;

  @BeforeEach
  void crashAfterSomeCommits() throws IOException {
    Path live = root.resolve("live");
    try (EmbeddedStore store = EmbeddedStore.open(live, EmbeddedOptions.DEFAULT)) {
      for (int i = 0; i < COMMITS; i++) {
        put(store, "key" + i, "value" + i);
      }
      acknowledged = version(store);
      crashed = TestStore.copyAsAfterACrash(live, root.resolve("crashed"));
    }
  }

  @Test
  void aCrashedStoreOpensWithAllThatWasAcknowledged() {
    assertComplete();
  }

  @Test
  void aTornTailBehindTheLastSyncLosesNothing() throws IOException {
    byte[] garbage = new byte[777];
    new Random(1).nextBytes(garbage);
    Files.write(newestLog(crashed), garbage, StandardOpenOption.APPEND);
    assertComplete();
  }

  @Test
  void damageOfAcknowledgedBytesIsRefusedAndTold() throws IOException {
    Path log = newestLog(crashed);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), channel.size() / 2);
    }
    assertRefused();
  }

  @Test
  void aLogThatIsCutShortIsRefused() throws IOException {
    Path log = newestLog(crashed);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 10);
    }
    OpenRefusedException refusal = assertRefused();
    assertThat(refusal)
        .hasMessageContaining("versions " + acknowledged + " to " + acknowledged + " are missing");
  }

  @Test
  void anEmptiedLogIsRefused() throws IOException {
    Files.write(newestLog(crashed), new byte[0]);
    assertRefused();
  }

  @Test
  void aDeletedLogIsRefused() throws IOException {
    Files.delete(newestLog(crashed));
    assertRefused();
  }

  @Test
  void aRefusalLeavesTheFilesAsTheyWere() throws IOException {
    Path log = newestLog(crashed);
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, new byte[0]);
    assertRefused();
    Files.write(log, whole);
    assertComplete();
  }

  @Test
  void acceptedLossOpensWithWhatIsLeftAndVersionsAboveTheLostOnes() throws IOException {
    Path log = newestLog(crashed);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 10);
    }
    EmbeddedOptions accepting = EmbeddedOptions.DEFAULT.withAcceptLoss(true);
    try (EmbeddedStore store = EmbeddedStore.open(crashed, accepting)) {
      assertThat(get(store, "key98")).contains("value98");
      assertThat(get(store, "key99")).isEmpty();
      assertThat(version(store)).isGreaterThanOrEqualTo(acknowledged);
      put(store, "key99", "again");
    }
    try (EmbeddedStore store = EmbeddedStore.open(crashed, EmbeddedOptions.DEFAULT)) {
      assertThat(get(store, "key99")).contains("again");
      assertThat(version(store)).isGreaterThan(acknowledged);
    }
  }

  @Test
  void aMissingMarkIsRefusedAndTold() throws IOException {
    Files.delete(crashed.resolve("acknowledged"));
    OpenRefusedException refusal = assertRefused();
    assertThat(refusal).hasMessageContaining("'acknowledged' is missing");
    EmbeddedOptions accepting = EmbeddedOptions.DEFAULT.withAcceptLoss(true);
    EmbeddedStore.open(crashed, accepting).close();
    assertComplete();
  }

  private OpenRefusedException assertRefused() {
    OpenRefusedException refusal =
        refusalOf(() -> EmbeddedStore.open(crashed, EmbeddedOptions.DEFAULT));
    assertThat(refusal.reason()).isEqualTo(Reason.ACKNOWLEDGED_DATA_MISSING);
    assertThat(refusal)
        .hasMessageContaining(crashed.toString())
        .hasMessageContaining("--accept-loss");
    return refusal;
  }

  private void assertComplete() {
    try (EmbeddedStore store = EmbeddedStore.open(crashed, EmbeddedOptions.DEFAULT)) {
      for (int i = 0; i < COMMITS; i++) {
        assertThat(get(store, "key" + i)).contains("value" + i);
      }
    }
  }
}
