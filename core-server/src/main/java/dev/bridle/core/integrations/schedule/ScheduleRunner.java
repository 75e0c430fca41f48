package dev.bridle.core.integrations.schedule;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.task.TaskCreationRetries;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.task.TaskSpec;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.task.v1.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs schedules. The task of a run and the time of the next one are stored in one transaction,
 * which checks that the schedule is still due at that time. So each due time creates one task,
 * however many processes and crashes there are.
 */
final class ScheduleRunner {
  private static final Logger log = LoggerFactory.getLogger(ScheduleRunner.class);

  /** The maximum number of missed runs that are counted. */
  private static final int MOST_COUNTED = 1000;

  private final Commands commands;
  private final TenantRecords<ScheduleRecord> schedules;
  private final TaskCreator orders;
  private final ScheduleEvents events;

  ScheduleRunner(
      Commands commands,
      TenantRecords<ScheduleRecord> schedules,
      TaskCreator orders,
      ScheduleEvents events) {
    this.commands = commands;
    this.schedules = schedules;
    this.orders = orders;
    this.events = events;
  }

  /** Runs a schedule that is due. */
  void due(DueEntry entry) {
    try {
      look(entry, (write, record) -> run(write, Run.of(write, record)));
    } catch (ProtocolException refusal) {
      failed(entry, refusal);
    }
  }

  private void failed(DueEntry entry, ProtocolException refusal) {
    try {
      look(entry, (write, record) -> fail(write, Run.of(write, record), refusal));
    } catch (ProtocolException e) {
      // Its tenant is being deleted, which must not delay other due schedules.
      FailureLog.warn(log, "The result of a run could not be stored; the schedule stays due.", e);
    }
  }

  /**
   * Processes the schedule of a due entry; removes an entry that no longer matches its schedule.
   */
  private void look(DueEntry entry, BiConsumer<Write, ScheduleRecord> work) {
    var unused =
        commands.fenced(
            FencedWrite.RUN_SCHEDULE,
            entry.tenant(),
            entry.id(),
            write -> {
              Optional<ScheduleRecord> record = schedules.due(write.tr(), entry);
              if (record.isEmpty()) {
                schedules.cancel(write, entry);
              } else {
                work.accept(write, record.get());
              }
              return record.isPresent();
            });
  }

  /**
   * A run that is due.
   *
   * @param before the current schedule
   * @param due its due time
   * @param missed the number of missed runs including this one; 0 if it is on time
   * @param next the run after it
   */
  private record Run(ScheduleRecord before, Instant due, int missed, Optional<Instant> next) {
    static Run of(Write write, ScheduleRecord record) {
      RunTimes times = RunTimes.of(record.getSchedule());
      Instant due = Instant.ofEpochMilli(Timestamps.toMillis(record.getSchedule().getNextRunAt()));
      Instant tooLate = Instant.ofEpochMilli(write.nowMillis()).minus(NextRun.GRACE);
      boolean missed = due.isBefore(tooLate) && record.getAttempts() == 0;
      return new Run(
          record,
          due,
          missed ? times.count(due, tooLate, MOST_COUNTED) : 0,
          times.after(missed ? tooLate.minusMillis(1) : due));
    }

    Schedule schedule() {
      return before.getSchedule();
    }

    Payload facts() {
      return Payload.of().text("due_at", due.toString());
    }
  }

  private void run(Write write, Run run) {
    if (run.missed() > 0) {
      Payload facts = run.facts().number("missed", run.missed());
      if (run.missed() == MOST_COUNTED) {
        facts.flag("or_more", true);
      }
      events.append(write, run.schedule(), EventKinds.SCHEDULE_MISSED, facts);
    }
    boolean skipped = run.missed() > 0 && run.schedule().getMissed() != MissedRuns.MISSED_RUNS_ONCE;
    Schedule after = skipped ? run.schedule() : ran(write, run);
    schedules.update(write, run.before(), NextRun.at(run.before(), after, run.next()));
  }

  private Schedule ran(Write write, Run run) {
    Schedule schedule = run.schedule();
    Task task =
        TaskCreationRules.runner(
                write.tenant(),
                schedule.getId(),
                schedule.getWorkspaceId(),
                run.before().getAboveSessionPersona())
            .run(() -> task(write, run));
    events.append(
        write,
        schedule,
        EventKinds.SCHEDULE_RUN,
        run.facts().text("task_id", task.getId()).text("session_id", task.getSessionId()));
    return schedule.toBuilder()
        .setLastRunAt(Timestamps.fromMillis(write.nowMillis()))
        .setLastTaskId(task.getId())
        .clearLastFailure()
        .build();
  }

  private Task task(Write write, Run run) {
    Schedule schedule = run.schedule();
    TaskSpec order =
        TaskSpec.of(
                schedule.getWorkspaceId(),
                ScheduleRules.persona(schedule),
                ScheduleRules.session(schedule),
                schedule.getText(),
                Payload.of()
                    .text("schedule_id", schedule.getId())
                    .text("due_at", run.due().toString())
                    .json())
            .by(run.before().getMadeBy(), run.before().getShapedByList());
    Session session = orders.session(write, order);
    return orders.submit(write, session, order);
  }

  /**
   * Stores the failure of a run: schedules the next run, or a retry if there is none and the
   * failure is transient.
   */
  private void fail(Write write, Run run, ProtocolException refusal) {
    int attempts = run.before().getAttempts() + 1;
    Optional<Duration> pause =
        run.next().isPresent()
            ? Optional.empty()
            : TaskCreationRetries.pause(attempts, TaskCreationRetries.asked(refusal));
    String code = TaskCreationRetries.code(refusal);
    Schedule after =
        run.schedule().toBuilder()
            .setLastFailure(Failure.newBuilder().setCode(code).setMessage(refusal.getMessage()))
            .build();
    Payload facts =
        run.facts()
            .text("code", code)
            .text("message", refusal.getMessage())
            .number("attempts", attempts);
    if (pause.isEmpty()) {
      schedules.update(write, run.before(), NextRun.at(run.before(), after, run.next()));
    } else {
      long again = write.nowMillis() + pause.get().toMillis();
      schedules.update(
          write,
          run.before(),
          run.before().toBuilder()
              .setSchedule(after)
              .setAttempts(attempts)
              .setDueAt(again)
              .build());
      facts.text("again_at", Instant.ofEpochMilli(again).toString());
    }
    events.append(write, run.schedule(), EventKinds.SCHEDULE_FAILED, facts);
  }
}
