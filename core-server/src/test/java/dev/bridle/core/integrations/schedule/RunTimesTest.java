package dev.bridle.core.integrations.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.schedule.v1.Schedule;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunTimesTest {
  @ParameterizedTest
  @CsvSource({
    "'* * * * *', UTC, 2026-11-21T10:00:00Z, 2026-11-21T10:01:00Z",
    "'*/15 * * * *', UTC, 2026-11-21T10:00:01Z, 2026-11-21T10:15:00Z",
    "'0 9 * * 1-5', UTC, 2026-11-20T10:00:00Z, 2026-11-23T09:00:00Z",
    "'0 9 * * MON', UTC, 2026-11-21T10:00:00Z, 2026-11-23T09:00:00Z",
    "'0 9 * * mon-fri', UTC, 2026-11-20T10:00:00Z, 2026-11-23T09:00:00Z",
    "'0 0 * * 0', UTC, 2026-11-21T10:00:00Z, 2026-11-22T00:00:00Z",
    "'0 0 * * 7', UTC, 2026-11-21T10:00:00Z, 2026-11-22T00:00:00Z",
    "'0 0 13 * 5', UTC, 2026-11-21T10:00:00Z, 2026-11-27T00:00:00Z",
    "'0 0 */2 * 1', UTC, 2026-11-21T10:00:00Z, 2026-11-23T00:00:00Z",
    "'0 0 */2 * 1', UTC, 2026-11-23T10:00:00Z, 2026-12-07T00:00:00Z",
    "'0 0 13 * */5', UTC, 2026-11-21T10:00:00Z, 2026-12-13T00:00:00Z",
    "'*/15 9 */2 * 1', UTC, 2026-11-23T09:45:00Z, 2026-12-07T09:00:00Z",
    "'0 0 29 2 */7', UTC, 2026-11-21T10:00:00Z, 2032-02-29T00:00:00Z",
    "'0 0 1,15 JAN,JUL *', UTC, 2026-11-21T10:00:00Z, 2027-01-01T00:00:00Z",
    "'0 0 29 2 *', UTC, 2026-11-21T10:00:00Z, 2028-02-29T00:00:00Z",
    "'59 23 31 12 *', UTC, 2026-11-21T10:00:00Z, 2026-12-31T23:59:00Z",
    "'0  9   * * *', UTC, 2026-11-21T10:00:00Z, 2026-11-22T09:00:00Z",
    "'0 9 * * *', America/New_York, 2026-11-21T10:00:00Z, 2026-11-21T14:00:00Z",
    "'0 9 * * *', Asia/Kathmandu, 2026-11-21T10:00:00Z, 2026-11-22T03:15:00Z",
    "'0 9 * * *', Europe/Berlin, 2026-07-01T10:00:00Z, 2026-07-02T07:00:00Z"
  })
  void aCronExpressionIsReadInItsTimeZone(String cron, String zone, String from, String next) {
    assertThat(next(cron, zone, from)).contains(Instant.parse(next));
  }

  @ParameterizedTest(name = "{0} after {1}")
  @CsvSource({
    // Clocks go forward on 2026-03-29 from 02:00 to 03:00, at 01:00Z.
    "'30 2 * * *', 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
    "'30 2 * * *', 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
    "'*/15 2 * * *', 2026-03-28T23:00:00Z, 2026-03-29T01:00:00Z",
    "'*/15 2 * * *', 2026-03-29T01:00:00Z, 2026-03-30T00:00:00Z",
    "'*/30 * * * *', 2026-03-29T00:30:00Z, 2026-03-29T01:00:00Z",
    "'*/30 * * * *', 2026-03-29T01:00:00Z, 2026-03-29T01:30:00Z",
    "'0 3 * * *', 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
    // Clocks go back on 2026-10-25 from 03:00 to 02:00, at 01:00Z.
    "'30 2 * * *', 2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z",
    "'30 2 * * *', 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
    "'30 2 * * *', 2026-10-25T01:10:00Z, 2026-10-26T01:30:00Z",
    "'*/30 * * * *', 2026-10-25T00:30:00Z, 2026-10-25T01:00:00Z",
    "'*/30 * * * *', 2026-10-25T01:10:00Z, 2026-10-25T01:30:00Z",
    "'*/15 * * * *', 2026-10-25T00:45:00Z, 2026-10-25T01:00:00Z",
    "'0 * * * *', 2026-10-25T00:00:00Z, 2026-10-25T01:00:00Z",
    "'0 * * * *', 2026-10-25T01:00:00Z, 2026-10-25T02:00:00Z",
    "'30 * * * *', 2026-03-29T00:30:00Z, 2026-03-29T01:30:00Z",
    "'0 3 * * *', 2026-10-24T12:00:00Z, 2026-10-25T02:00:00Z"
  })
  void whereClocksChangeEachTimeIsOneRunAndIntervalsRunOn(String cron, String from, String next) {
    assertThat(next(cron, "Europe/Berlin", from)).contains(Instant.parse(next));
  }

  @Test
  void aYearOfRunsIsOneForEachDay() {
    RunTimes times = RunTimes.of(cron("30 2 * * *", "Europe/Berlin"));
    Instant first = Instant.parse("2026-01-01T01:30:00Z");

    assertThat(times.count(first, Instant.parse("2027-01-01T00:00:00Z"), 1000)).isEqualTo(365);
    assertThat(times.count(first, Instant.parse("2027-01-01T00:00:00Z"), 100)).isEqualTo(100);
    assertThat(times.count(first, first, 100)).isEqualTo(1);
  }

  @Test
  void aSingleTimeComesOnce() {
    Instant at = Instant.parse("2026-11-21T10:00:00Z");
    RunTimes times =
        RunTimes.of(
            Schedule.newBuilder()
                .setAt(Timestamps.fromMillis(at.toEpochMilli()))
                .setTimeZone("UTC")
                .build());

    assertThat(times.after(at.minusMillis(1))).contains(at);
    assertThat(times.after(at)).isEmpty();
  }

  @Test
  void aDayThatNeverComesIsNoTime() {
    assertThat(next("0 0 31 2 *", "UTC", "2026-11-21T10:00:00Z")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1 * * * *",
        "*/0 * * * *",
        "@daily",
        "0 0 L * *",
        "0 0 ? * *",
        "0|1 * * * *",
        "0 0 * * FRI#1",
        "words are no time here"
      })
  void whatIsNoCronExpressionIsRefused(String cron) {
    assertRefused("cron", cron(cron, "UTC"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Berlin", "+02:00", "Europe/Nowhere", "europe/berlin"})
  void whatIsNoTimeZoneIsRefused(String zone) {
    assertRefused("time_zone", cron("0 9 * * *", zone));
  }

  @Test
  void oneOfCronAndATimeIsGiven() {
    Schedule both = cron("0 9 * * *", "UTC").toBuilder().setAt(Timestamps.fromMillis(0)).build();
    assertRefused("at", both);
    assertRefused("cron", Schedule.newBuilder().setTimeZone("UTC").build());
    assertRefused(
        "at",
        Schedule.newBuilder()
            .setAt(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
            .setTimeZone("UTC")
            .build());
  }

  private static void assertRefused(String param, Schedule schedule) {
    assertThatThrownBy(() -> RunTimes.of(schedule))
        .isInstanceOfSatisfying(
            ProtocolException.class, e -> assertThat(e.param()).contains(param));
  }

  private static Optional<Instant> next(String cron, String zone, String from) {
    return RunTimes.of(cron(cron, zone)).after(Instant.parse(from));
  }

  private static Schedule cron(String cron, String zone) {
    return Schedule.newBuilder().setCron(cron).setTimeZone(zone).build();
  }
}
