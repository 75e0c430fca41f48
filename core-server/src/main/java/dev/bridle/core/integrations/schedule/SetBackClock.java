package dev.bridle.core.integrations.schedule;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the next runs of schedules anew where they were computed by a clock that was ahead: else
 * a schedule for each minute would stand still until that time. Looks at its start, since the clock
 * may have been set before, and whenever wall time has fallen behind monotonic time. A time that
 * comes again may run again.
 */
final class SetBackClock {
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** A smaller step is how clocks are kept right. */
  private static final long STEP_MILLIS = 60_000;

  private static final int AT_ONCE = 100;
  private static final Logger log = LoggerFactory.getLogger(SetBackClock.class);

  private final KeyValueStore store;
  private final Installation installation;
  private final Commands commands;
  private final TenantRecords<ScheduleRecord> schedules;
  private final Clock clock;
  private final LongSupplier nanoTime;

  private boolean looked;

  /** How far wall time was ahead of monotonic time, in milliseconds; empty before the start. */
  private OptionalLong ahead = OptionalLong.empty();

  SetBackClock(CoreContext context, TenantRecords<ScheduleRecord> schedules) {
    this.store = context.store();
    this.installation = context.installation();
    this.commands = context.commands();
    this.schedules = schedules;
    this.clock = context.environment().clock();
    this.nanoTime = context.environment().nanoTime();
  }

  /** Looks from now on. */
  void start(ScheduledExecutorService sweeps) {
    Periodic.everyFromNow(sweeps, LOOK, "Looking whether the clock was set back", this::look);
  }

  /** A next run is computed now: the clock may be ahead, and back before the next look. */
  synchronized void used() {
    ahead = OptionalLong.of(Math.max(ahead.orElse(Long.MIN_VALUE), now()));
  }

  private void look() {
    if (isSetBack()) {
      int moved = moveAll();
      if (moved > 0) {
        log.warn("The clock was set back; the next runs of {} schedules were moved.", moved);
      }
    }
  }

  private synchronized boolean isSetBack() {
    boolean isFirst = !looked;
    looked = true;
    boolean isSetBack = ahead.isPresent() && ahead.getAsLong() - now() > STEP_MILLIS;
    ahead = OptionalLong.of(now());
    return isFirst || isSetBack;
  }

  private long now() {
    return clock.millis() - TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong());
  }

  private int moveAll() {
    int moved = 0;
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      moved += moveAll(at);
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return moved;
  }

  private int moveAll(String tenant) {
    int moved = 0;
    String from = "";
    List<ScheduleRecord> page;
    do {
      String begin = from;
      page = store.read(tr -> schedules.records().withPrefix(tr, tenant, "", begin, AT_ONCE));
      for (ScheduleRecord record : page) {
        String id = record.getSchedule().getId();
        from = id + '\0';
        if (isLate(record, clock.millis()) && move(tenant, id)) {
          moved++;
        }
      }
    } while (page.size() == AT_ONCE);
    return moved;
  }

  private boolean move(String tenant, String id) {
    return commands.fenced(
        FencedWrite.RUN_SCHEDULE,
        tenant,
        id,
        write -> {
          Optional<ScheduleRecord> late =
              schedules
                  .records()
                  .get(write.tr(), tenant, id)
                  .filter(record -> isLate(record, write.nowMillis()));
          late.ifPresent(record -> move(write, record));
          return late.isPresent();
        });
  }

  private void move(Write write, ScheduleRecord record) {
    Schedule schedule = record.getSchedule();
    schedules.update(
        write, record, NextRun.at(record, schedule, next(schedule, write.nowMillis())));
  }

  /** Returns whether a schedule's next run lies after the first one from now on. */
  private static boolean isLate(ScheduleRecord record, long nowMillis) {
    Schedule schedule = record.getSchedule();
    return schedule.getStatus() == ScheduleStatus.SCHEDULE_STATUS_ACTIVE
        && schedule.hasCron()
        && record.getAttempts() == 0
        && next(schedule, nowMillis)
            .filter(next -> next.toEpochMilli() < Timestamps.toMillis(schedule.getNextRunAt()))
            .isPresent();
  }

  private static Optional<Instant> next(Schedule schedule, long nowMillis) {
    return RunTimes.of(schedule).after(Instant.ofEpochMilli(nowMillis));
  }
}
