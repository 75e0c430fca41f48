package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdlenessTest {

  /**
   * One letter for each look, ten seconds after the one before: b with a second of work, q with
   * 0.1.
   */
  @ParameterizedTest
  @CsvSource({
    "b, ''",
    "q, ''",
    "qq, 2",
    "bq, ''",
    "bqq, 3",
    "qqqqqqqq, 2",
    "qbqbqb, ''",
    "qqbqq, '2 5'",
    "bqqqbbqqqbq, '3 8'",
  })
  void aProcessBecomesIdleAtItsSecondQuietLookAfterEachTimeItWasBusy(String looks, String idle) {
    Duration processor = Duration.ofMinutes(3);
    Duration clock = Duration.ofMinutes(5);
    Idleness idleness = new Idleness(processor, clock);
    StringBuilder found = new StringBuilder();
    for (int i : IntStream.rangeClosed(1, looks.length()).toArray()) {
      processor = processor.plusMillis(looks.charAt(i - 1) == 'b' ? 1000 : 100);
      clock = clock.plusSeconds(10);
      if (idleness.begins(processor, clock)) {
        found.append(' ').append(i);
      }
    }
    assertThat(found.toString().strip()).isEqualTo(idle);
  }
}
