package dev.bridle.core.integrations.schedule;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.schedule.v1.Schedule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Pattern;

/** Computes when a schedule runs: at one time, or as a cron expression says in a time zone. */
public final class RunTimes {
  /** Five fields, without the library's extensions. */
  private static final Pattern FIELDS = Pattern.compile("[0-9A-Za-z*,/-]+( +[0-9A-Za-z*,/-]+){4}");

  private final Optional<Instant> at;
  private final Optional<CronTimes> cron;
  private final ZoneId zone;

  private RunTimes(Optional<Instant> at, Optional<CronTimes> cron, ZoneId zone) {
    this.at = at;
    this.cron = cron;
    this.zone = zone;
  }

  /** Parses the times of a schedule; {@code invalid_request} if they are invalid. */
  static RunTimes of(Schedule schedule) {
    if (schedule.hasCron() == schedule.hasAt()) {
      throw ProtocolException.invalid(
          schedule.hasAt() ? "at" : "cron", "is one of two: give either cron or at");
    }
    return new RunTimes(
        schedule.hasAt() ? Optional.of(moment(schedule)) : Optional.empty(),
        schedule.hasCron() ? Optional.of(cron(schedule.getCron(), "cron")) : Optional.empty(),
        zone(schedule.getTimeZone(), "time_zone"));
  }

  /**
   * Parses a cron expression; {@code invalid_request} if it is invalid.
   *
   * @param cronParam the request's member with the expression
   * @param zoneParam the request's member with the time zone
   */
  public static RunTimes ofCron(String cron, String cronParam, String zone, String zoneParam) {
    return new RunTimes(
        Optional.empty(), Optional.of(cron(cron, cronParam)), zone(zone, zoneParam));
  }

  private static Instant moment(Schedule schedule) {
    if (!Timestamps.isValid(schedule.getAt())) {
      throw ProtocolException.invalid("at", "is no time");
    }
    return Instant.ofEpochMilli(Timestamps.toMillis(schedule.getAt()));
  }

  private static CronTimes cron(String text, String param) {
    if (!FIELDS.matcher(text).matches()) {
      throw ProtocolException.invalid(
          param, "is not five fields: minute, hour, day of month, month, day of week");
    }
    try {
      return CronTimes.of(text);
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid(
          param,
          "is no cron expression; expected minute (0-59), hour (0-23), day of month (1-31), month"
              + " (1-12) and day of week (0-7), each with *, lists, ranges or steps");
    }
  }

  private static ZoneId zone(String name, String param) {
    try {
      if (ZoneId.getAvailableZoneIds().contains(name)) {
        return ZoneId.of(name);
      }
    } catch (DateTimeException e) {
      // Listed, but without rules on this machine.
    }
    throw ProtocolException.invalid(param, "is no time zone's name, such as Europe/Berlin");
  }

  /** Returns the first time after a moment; empty where there is none. */
  public Optional<Instant> after(Instant moment) {
    return cron.isEmpty()
        ? at.filter(time -> time.isAfter(moment))
        : cron.get().after(moment, zone);
  }

  /**
   * Returns the number of run times from {@code first} until before {@code end}, at most {@code
   * most}.
   */
  int count(Instant first, Instant end, int most) {
    int count = 1;
    Optional<Instant> next = after(first);
    while (count < most && next.filter(time -> time.isBefore(end)).isPresent()) {
      count++;
      next = next.flatMap(this::after);
    }
    return count;
  }
}
