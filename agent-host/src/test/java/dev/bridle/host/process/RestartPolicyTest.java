package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RestartPolicyTest {
  private static final RestartPolicy POLICY =
      new RestartPolicy(9, Duration.ofMillis(500), Duration.ofSeconds(3));

  @ParameterizedTest
  @CsvSource({"1, 500", "2, 1000", "3, 2000", "4, 3000", "90, 3000"})
  void pausesDoubleUpToTheLongest(int restart, long millis) {
    assertThat(POLICY.pauseBefore(restart)).hasMillis(millis);
  }
}
