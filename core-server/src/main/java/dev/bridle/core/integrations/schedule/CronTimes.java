package dev.bridle.core.integrations.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * The times of a cron expression in a time zone. The library computes local times, in UTC: its
 * handling of clock changes differs between expressions.
 *
 * <p>An expression for each hour runs on through a change of the clocks, as an interval does. Of
 * others, times in the hour that is skipped become one run at the moment of the change, and times
 * in the hour that is repeated come in its first pass.
 *
 * <p>If the day of the month or that of the week begins with {@code *}, a day must match both, as
 * cron has it; the library takes a star with a step as a restriction, where one of two suffices.
 */
final class CronTimes {
  private static final CronDefinition UNIX =
      CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);

  private static final String ANY = "*";

  /** How many days of the one field that the other one rules out are tried. */
  private static final int MOST_DAYS = 1000;

  private final ExecutionTime times;
  private final Optional<ExecutionTime> weekdays;
  private final boolean eachHour;

  private CronTimes(ExecutionTime times, Optional<ExecutionTime> weekdays, boolean eachHour) {
    this.times = times;
    this.weekdays = weekdays;
    this.eachHour = eachHour;
  }

  /**
   * Parses an expression of five fields.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static CronTimes of(String text) {
    ExecutionTime whole = parse(text);
    String[] fields = text.split(" +");
    boolean eachHour = fields[1].equals(ANY);
    String day = fields[2];
    String weekday = fields[4];
    boolean isBoth =
        (day.startsWith(ANY) || weekday.startsWith(ANY))
            && !day.equals(ANY)
            && !weekday.equals(ANY);
    if (!isBoth) {
      return new CronTimes(whole, Optional.empty(), eachHour);
    }
    fields[4] = ANY;
    return new CronTimes(
        parse(String.join(" ", fields)), Optional.of(parse("* * * * " + weekday)), eachHour);
  }

  private static ExecutionTime parse(String text) {
    return ExecutionTime.forCron(new CronParser(UNIX).parse(text).validate());
  }

  /** Returns the first time after a moment; empty where there is none. */
  Optional<Instant> after(Instant moment, ZoneId zone) {
    return eachHour ? running(moment, zone) : local(moment, zone);
  }

  private Optional<Instant> local(Instant moment, ZoneId zone) {
    Optional<LocalDateTime> local = following(moment.atZone(zone).toLocalDateTime());
    while (local.isPresent() && !moment(local.get(), zone).isAfter(moment)) {
      local = following(local.get());
    }
    return local.map(time -> moment(time, zone));
  }

  private static Instant moment(LocalDateTime local, ZoneId zone) {
    return Optional.ofNullable(zone.getRules().getTransition(local))
        .filter(ZoneOffsetTransition::isGap)
        .map(ZoneOffsetTransition::getInstant)
        .orElseGet(() -> local.atZone(zone).withEarlierOffsetAtOverlap().toInstant());
  }

  /** Counts on with the same offset until the clocks change, and from there with the other. */
  private Optional<Instant> running(Instant moment, ZoneId zone) {
    ZoneOffset offset = zone.getRules().getOffset(moment);
    LocalDateTime from = moment.atOffset(offset).toLocalDateTime();
    Optional<ZoneOffsetTransition> change =
        Optional.ofNullable(zone.getRules().nextTransition(moment));
    while (true) {
      ZoneOffset current = offset;
      Optional<Instant> next = following(from).map(local -> local.toInstant(current));
      if (next.isEmpty() || change.isEmpty() || next.get().isBefore(change.get().getInstant())) {
        return next;
      }
      offset = change.get().getOffsetAfter();
      from = change.get().getDateTimeAfter().minusSeconds(1);
      change = Optional.ofNullable(zone.getRules().nextTransition(change.get().getInstant()));
    }
  }

  private Optional<LocalDateTime> following(LocalDateTime local) {
    Optional<LocalDateTime> next = nextOf(local);
    for (int days = 0; next.isPresent() && !isOfWeekday(next.get()); days++) {
      if (days == MOST_DAYS) {
        return Optional.empty();
      }
      next = nextOf(next.get().toLocalDate().atTime(LocalTime.MAX));
    }
    return next;
  }

  private Optional<LocalDateTime> nextOf(LocalDateTime local) {
    return times.nextExecution(local.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  private boolean isOfWeekday(LocalDateTime time) {
    return weekdays.map(days -> days.isMatch(time.atZone(ZoneOffset.UTC))).orElse(true);
  }
}
