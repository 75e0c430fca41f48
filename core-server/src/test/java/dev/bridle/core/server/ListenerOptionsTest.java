package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenerOptionsTest {
  @ParameterizedTest
  @CsvSource({"1,32", "2,32", "3,48", "16,256"})
  void callThreadsGrowWithTheProcessorsFromThirtyTwoOn(int processors, int threads) {
    assertThat(ListenerOptions.threadsFor(processors)).isEqualTo(threads);
  }
}
