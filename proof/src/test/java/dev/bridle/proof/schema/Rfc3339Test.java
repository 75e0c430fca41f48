package dev.bridle.proof.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Rfc3339Test {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "1970-01-01t00:00:00z, 0",
    "1969-12-31T23:59:59.999Z, -1",
    "2026-04-25T19:17:33Z, 1777144653",
    "2026-04-25T19:17:33.123456789012345678Z, 1777144653",
    "2026-04-25T21:17:33+02:00, 1777144653",
    "2026-04-25T10:47:33-08:30, 1777144653",
    "2026-04-25T19:17:33-00:00, 1777144653",
    "2024-02-29T00:00:00Z, 1709164800",
    "0001-01-01T00:00:00Z, -62135596800",
    "9999-12-31T23:59:59Z, 253402300799",
    "2016-12-31T23:59:60Z, 1483228800",
    "2017-01-01T08:59:60+09:00, 1483228800",
  })
  void timesAreRead(String text, long second) {
    assertThat(Rfc3339.epochSecond(text)).hasValue(second);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-04-25",
        "2026-04-25T19:17Z",
        "2026-04-25T19:17:33",
        "2026-04-25 19:17:33Z",
        "2026-4-25T19:17:33Z",
        "2026-04-25T19:17:33.Z",
        "2026-04-25T19:17:33,5Z",
        "2026-04-25T19:17:33+02",
        "2026-04-25T19:17:33+0200",
        "2026-04-25T19:17:33Z ",
        "2026-04-25T19:17:33Z\n",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T12:00:60Z",
        "2016-12-31T23:59:60+01:00",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+01:60",
        "0000-01-01T00:00:00Z",
        "20260-01-01T00:00:00Z",
        "-2026-01-01T00:00:00Z",
      })
  void otherTextsAreNoTimes(String text) {
    assertThat(Rfc3339.epochSecond(text)).isEmpty();
  }

  @Test
  void timesAreThoseOfTheJdk() {
    Random random = new Random(3339);
    for (int i = 0; i < 2000; i++) {
      Instant instant = Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 250_000_000_000L));
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60));
      String text =
          String.format(
              Locale.ROOT,
              "%1$tY-%1$tm-%1$tdT%1$tH:%1$tM:%1$tS%2$s",
              OffsetDateTime.ofInstant(instant, offset),
              offset.getId());

      assertThat(Rfc3339.epochSecond(text)).as(text).hasValue(instant.getEpochSecond());
    }
  }
}
