package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.newestLog;
import static dev.bridle.storage.embedded.TestStore.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.sampling.Sample;
import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A power loss takes or spoils any of the bytes behind the last sync, and none before. A bad disk
 * does the same to bytes before it, and is found out.
 */
class PowerLossTest {
  private static final int ROUNDS = 7;
  private static final int MANY_ROUNDS = 60;
  private static final Sample SAMPLE = Sample.of("losses of power");

  @TempDir Path root;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void whateverIsSpoiltBehindTheLastSyncNothingAcknowledgedGoesAndNothingHalfWrittenShows(long seed)
      throws IOException {
    spoilUnacknowledged(seed, ROUNDS);
  }

  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {101, 102, 103, 104})
  void nothingAcknowledgedGoesInManyRoundsEither(long seed) throws IOException {
    spoilUnacknowledged(seed, SAMPLE.count(MANY_ROUNDS));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void spoiltAcknowledgedBytesAreNoticedAndTheRestIsThereOnceTheLossIsAccepted(long seed)
      throws IOException {
    spoilAcknowledged(seed, ROUNDS);
  }

  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {201, 202})
  void spoiltAcknowledgedBytesAreNoticedInManyRoundsToo(long seed) throws IOException {
    spoilAcknowledged(seed, SAMPLE.count(MANY_ROUNDS));
  }

  private void spoilUnacknowledged(long seed, int rounds) throws IOException {
    Random random = new Random(seed);
    int lost = 0;
    for (int round = 0; round < rounds; round++) {
      Path directory = root.resolve("round-" + round);
      NumberedCommits commits = new NumberedCommits(random.nextLong());
      EmbeddedOptions options = options(random);
      int acknowledged = 1 + random.nextInt(40);
      int written = acknowledged + random.nextInt(25);
      Path log;
      long synced;
      byte[] mark;
      try (EmbeddedStore store = EmbeddedStore.open(directory, options)) {
        commits.commit(store, 0, acknowledged);
        log = newestLog(directory);
        synced = Files.size(log);
        mark = Files.readAllBytes(directory.resolve("acknowledged"));
        commits.commit(store, acknowledged, written);
      }
      Path last = newestLog(directory);
      LogDamage damage = LogDamage.any(random);
      damage.apply(last, last.equals(log) ? synced : 0, random);
      // What came after was written and never acknowledged, as if the power had gone in between.
      Files.write(directory.resolve("acknowledged"), mark);

      int there;
      try (EmbeddedStore store = EmbeddedStore.open(directory, options)) {
        there = commits.check(store, acknowledged, written);
        new NumberedCommits(seed).commit(store, written, written + 1);
      }
      try (EmbeddedStore store = EmbeddedStore.open(directory, options)) {
        assertThat(version(store)).as("round %s, %s", round, damage).isPositive();
        TestStore.put(store, "it", "goes on");
      }
      lost += written * NumberedCommits.THREADS - there;
    }
    assertThat(lost).as("the damage must reach something").isPositive();
  }

  private void spoilAcknowledged(long seed, int rounds) throws IOException {
    Random random = new Random(seed);
    int noticed = 0;
    for (int round = 0; round < rounds; round++) {
      Path directory = root.resolve("round-" + round);
      NumberedCommits commits = new NumberedCommits(random.nextLong());
      EmbeddedOptions options = options(random);
      int written = 5 + random.nextInt(40);
      try (EmbeddedStore store = EmbeddedStore.open(directory, options)) {
        commits.commit(store, 0, written);
      }
      LogDamage damage = LogDamage.any(random);
      damage.apply(newestLog(directory), 0, random);
      try (EmbeddedStore store = EmbeddedStore.open(directory, options)) {
        // It hit the padding between blocks, or what a sorted file holds as well.
        commits.check(store, written, written);
      } catch (OpenRefusedException e) {
        noticed++;
        assertThat(e.reason()).isIn(Reason.ACKNOWLEDGED_DATA_MISSING, Reason.DAMAGED);
        assertThat(e).hasMessageContaining("missing").hasMessageContaining("--accept-loss");
        try (EmbeddedStore store = EmbeddedStore.open(directory, options.withAcceptLoss(true))) {
          commits.check(store, 0, written);
        }
      }
    }
    assertThat(noticed).isGreaterThan(rounds / 2);
  }

  /** Small buffers make several files; large ones leave all in the log. */
  private static EmbeddedOptions options(Random random) {
    long buffer = random.nextBoolean() ? 32 << 10 : 4 << 20;
    return new EmbeddedOptions(1 << 20, buffer, 64, 1 << 20, 1 << 20, 10, 0, false);
  }
}
