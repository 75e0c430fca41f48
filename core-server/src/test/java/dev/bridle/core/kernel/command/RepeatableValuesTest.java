package dev.bridle.core.kernel.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.id.IdMint;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RepeatableValuesTest {
  private final RepeatableValues values =
      new RepeatableValues(new IdMint(Clock.systemUTC(), new Random(1)), 0);

  @Test
  void eachAttemptGetsTheSameValuesInTheSameOrder() {
    String id = values.id("task");
    byte[] salt = values.salt(16);

    values.rewind();

    assertThat(values.id("task")).isEqualTo(id);
    assertThat(values.salt(16)).isEqualTo(salt);
  }

  @Test
  void anAttemptThatTakesAnotherWayGetsIdsAndSaltsAsItAsksForThem() {
    var unusedId = values.id("claim");
    var unusedSalt = values.salt(8);

    values.rewind();

    assertThat(values.id("task")).startsWith("task_");
    assertThat(values.salt(16)).hasSize(16);
  }
}
