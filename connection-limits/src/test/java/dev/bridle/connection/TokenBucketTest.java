package dev.bridle.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final AtomicLong nanos = new AtomicLong();
  private final TokenBucket bucket = new TokenBucket(2, 0.5, nanos::get);

  @Test
  void soManyAreAllowedAtOnceAndThenSoManyASecond() {
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.isEmpty()).isTrue();
    assertThat(bucket.take()).isFalse();

    nanos.addAndGet(Duration.ofMillis(1_999).toNanos());
    assertThat(bucket.take()).isFalse();
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isFalse();
  }

  @Test
  void aLongPauseAllowsNoMoreThanAtFirst() {
    nanos.addAndGet(Duration.ofHours(1).toNanos());

    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isFalse();
  }
}
