package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.sampling.Sample;
import dev.bridle.storage.kit.fault.CrashAfter;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultRates;
import dev.bridle.storage.kit.fault.RandomPlan;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each scenario with many faults at random, and a crash somewhere; the plain build plays a few of
 * them. {@code -Pthorough -Dbridle.faults.seed=N} runs the seed of a failure again, and no other.
 */
@ExtendWith(QuietLog.class)
final class RandomFaultsTest {
  private static final FaultRates RATES = new FaultRates(0.2, 0.02, 0.1);
  private static final int LATEST_CRASH = 600;

  @TempDir static Path directory;
  private static Scenes scenes;

  @BeforeAll
  static void open() {
    scenes = new Scenes(directory);
  }

  @AfterAll
  static void close() {
    scenes.close();
  }

  @ParameterizedTest(name = "{0} under faults of seed {1}")
  @MethodSource
  void clientsGetWhatTheyWereToldWhateverFails(Scenario scenario, long seed) {
    play(scenario, seed);
  }

  static Stream<Arguments> clientsGetWhatTheyWereToldWhateverFails() {
    return withSeeds(Stream.of(Scenarios.TASK, Scenarios.PERMISSION, Scenarios.EXCHANGE), 1, 1);
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} under faults of seed {1}")
  @MethodSource
  void manySeedsOfAllScenariosComeToTheSame(Scenario scenario, long seed) {
    play(scenario, seed);
  }

  static Stream<Arguments> manySeedsOfAllScenariosComeToTheSame() {
    Sample sample = Sample.of("stories under faults of a seed");
    List<Arguments> played =
        withSeeds(Arrays.stream(Scenarios.values()), 1, 32)
            .filter(
                story ->
                    Long.getLong(RandomPlan.SEED) != null
                        || sample.takes(story.get()[0] + " " + story.get()[1]))
            .toList();
    sample.print();
    return played.stream();
  }

  private static void play(Scenario scenario, long seed) {
    FaultPlan faults = new RandomPlan(seed, RATES, Fault.survived());
    int crash = new Random(seed).nextInt(LATEST_CRASH);
    assertThat(scenes.play(new CrashAfter(crash, faults), scenario))
        .as("faults")
        .isNotNegative(); // A few seeds happen to have none.
  }

  private static Stream<Arguments> withSeeds(Stream<Scenarios> scenarios, long first, long last) {
    Long given = Long.getLong(RandomPlan.SEED);
    return scenarios.flatMap(
        scenario ->
            (given == null ? LongStream.rangeClosed(first, last) : LongStream.of(given))
                .mapToObj(seed -> Arguments.of(scenario, seed)));
  }
}
