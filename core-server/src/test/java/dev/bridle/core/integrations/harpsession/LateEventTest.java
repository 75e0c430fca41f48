package dev.bridle.core.integrations.harpsession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events around the end of a session, and their order. */
final class LateEventTest {
  private static final Instant END = Instant.parse("2026-11-21T10:00:00Z");

  private static ReceivedEvent status(Instant at) throws HarpException {
    return ReceivedEvent.of(HarpJson.canonical(SampleSessions.status("s1", "idle", at)));
  }

  @ParameterizedTest(name = "{0} s from the end, arriving {1} s after it was stored: {2}")
  @CsvSource({
    "-1, 0,   true",
    "0,  0,   true",
    "0,  600, true",
    "0,  601, false",
    "1,  0,   false",
  })
  void whatHappenedUpToTheEndIsAcceptedForTenMinutes(int at, int arrives, boolean accepted)
      throws HarpException {
    ReceivedEvent event = status(END.plusSeconds(at));
    long closedAt = END.plusSeconds(30).toEpochMilli();
    ThrowingCallable check =
        () ->
            SessionRules.needOpen(
                event,
                new EventTime(END).key(),
                closedAt,
                closedAt + Duration.ofSeconds(arrives).toMillis());

    if (accepted) {
      assertThatCode(check).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(check)
          .extracting(refusal -> ((HarpException) refusal).code())
          .isEqualTo(HarpErrorCode.SESSION_CLOSED);
    }
  }

  @Test
  void aSecondEndIsNeverLate() throws HarpException {
    ReceivedEvent end =
        ReceivedEvent.of(HarpJson.canonical(SampleSessions.end("s1", END.minusSeconds(5))));

    assertThatThrownBy(
            () -> SessionRules.needOpen(end, new EventTime(END).key(), END.toEpochMilli(), 0))
        .hasMessage("The session has ended.");
  }

  @ParameterizedTest(name = "{0} is before {1}")
  @CsvSource({
    "2026-11-21T10:00:00Z,      2026-11-21T10:00:00.1Z",
    "2026-11-21T10:00:00.19Z,   2026-11-21T10:00:00.2Z",
    "2026-11-21T10:00:00.9Z,    2026-11-21T10:00:01Z",
    "2026-11-21T11:00:00+02:00, 2026-11-21T10:00:00Z",
    "1969-12-31T23:59:59.5Z,    1970-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z,      1969-12-31T23:59:59Z",
  })
  void keysOfTimesAreInTheOrderOfTheTimes(String one, String other) throws HarpException {
    assertThat(EventTime.parse(one).key()).isLessThan(EventTime.parse(other).key());
  }
}
