package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventAppender;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;
import java.util.function.BiConsumer;

/** Faults in tasks and in what belongs to them. */
final class PlantedTasks {
  private static final String[] QUEUE = {"queue", "queue_place", "wake"};

  private PlantedTasks() {}

  static List<Plant> all() {
    return List.of(
        task(
                FaultKind.COUNTER_WRONG,
                "a task that counts an event too many",
                (tenant, stored) -> stored.change(tenant.held, t -> t.setNextSequence(99)))
            .mended(),
        task(
            FaultKind.COUNTER_WRONG,
            "a task with a log of more than 2,000 events that counts a few",
            (tenant, stored) -> {
              append(tenant, stored, 2200);
              stored.change(tenant.held, t -> t.setNextSequence(3));
            }),
        task(
                FaultKind.DIGEST_WRONG,
                "the digest of a task's log changed",
                (tenant, stored) ->
                    stored.change(
                        tenant.held,
                        t ->
                            t.setLogDigestState(
                                LogDigest.append(
                                    ByteString.EMPTY, EventRecord.getDefaultInstance()))))
            .mended(),
        task(
                FaultKind.COUNT_WRONG,
                "a task that counts a message too few",
                (tenant, stored) ->
                    stored.change(tenant.held, t -> t.getTotalsBuilder().setMessages(0)))
            .mended(),
        task(
            FaultKind.TASK_STATE_WRONG,
            "a task in a state that no event tells",
            (tenant, stored) ->
                stored.change(
                    tenant.held,
                    t -> t.getTaskBuilder().setStatus(TaskStatus.TASK_STATUS_INPUT_REQUIRED))),
        task(
                FaultKind.TASK_INCONSISTENT,
                "a task that works, but nobody runs it",
                (tenant, stored) ->
                    stored.change(
                        tenant.held,
                        t ->
                            t.getLeaseBuilder()
                                .setState(LeaseState.LEASE_STATE_FREE)
                                .setDueAt(0)
                                .setDueKind("")))
            .mendedBeside("due", "renewal"),
        task(
            FaultKind.TASK_INCONSISTENT,
            "a task that says it has no steps",
            (tenant, stored) -> stored.change(tenant.held, t -> t.setHasSteps(false))),
        Plant.of(
            FaultKind.TASK_INCONSISTENT,
            "a task whose question is lost",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.STEP, tenant.asking, "ask"));
              return tenant.asking;
            }),
        Plant.of(
            FaultKind.TASK_INCONSISTENT,
            "a tool call without the question that it is",
            (tenant, stored) -> {
              stored.change(tenant.hosted, task -> task.setQuestionStepKey(""));
              return tenant.hosted;
            }),
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a tool call lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.hosted))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.hosted;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of a tool call that no task waits with",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.asking.hashCode(), 4),
                          5L,
                          8L,
                          Stored.TENANT,
                          tenant.asking),
                      new byte[0]);
                  return tenant.asking;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a replay that waits for a worker lost",
                (tenant, stored) -> {
                  stored.change(
                      tenant.queued,
                      task -> task.getQueueBuilder().setWaitsSince(1).setWaitsUntil(5));
                  return tenant.queued;
                })
            .mended("due", "record"),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of a replay that waits for no worker",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.queued.hashCode(), 4),
                          5L,
                          20L,
                          Stored.TENANT,
                          tenant.queued),
                      new byte[0]);
                  return tenant.queued;
                })
            .mended(),
        Plant.of(
                FaultKind.QUEUE_WRONG,
                "the entry of a task in its queue lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.QUEUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.queued))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.queued;
                })
            .mended(QUEUE),
        Plant.of(
                FaultKind.QUEUE_WRONG,
                "the place of a task in its queue lost",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.QUEUE_PLACE, tenant.queued));
                  return tenant.queued;
                })
            .mended(QUEUE),
        Plant.of(
                FaultKind.QUEUE_ORPHANED,
                "an entry in a queue of a task that has ended",
                (tenant, stored) -> {
                  Row some = stored.list(SystemSpace.QUEUE).get(0);
                  stored.set(
                      stored.rows.key(
                          SystemSpace.QUEUE,
                          (long) Math.floorMod(tenant.failed.hashCode(), 4),
                          "",
                          Stored.TENANT,
                          some.key().stamp(3),
                          tenant.failed),
                      some.value());
                  return tenant.failed;
                })
            .mended(),
        Plant.of(
                FaultKind.QUEUE_ORPHANED,
                "a place in a queue of a task that is not there",
                (tenant, stored) -> {
                  stored.set(stored.key(TenantSpace.QUEUE_PLACE, "task_none"), new byte[10]);
                  return "task_none";
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a lease lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.held))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.held;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a second due entry of a lease",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.held.hashCode(), 4),
                          5L,
                          1L,
                          Stored.TENANT,
                          tenant.held),
                      new byte[0]);
                  return tenant.held;
                })
            .mended(),
        Plant.of(
                FaultKind.OUTCOME_WRONG,
                "the outcome of a task lost",
                (tenant, stored) -> {
                  String outcome = stored.task(tenant.completed).getTask().getOutcomeId();
                  stored.clear(stored.key(TenantSpace.RECORD, 6L, outcome));
                  return tenant.completed;
                })
            .mendedBeside("index"),
        Plant.of(
            FaultKind.OUTCOME_WRONG,
            "an outcome of a task that names another",
            (tenant, stored) -> {
              String outcome = stored.task(tenant.completed).getTask().getOutcomeId();
              String other = stored.task(tenant.failed).getTask().getOutcomeId();
              stored.change(tenant.completed, t -> t.getTaskBuilder().setOutcomeId(other));
              return outcome;
            }),
        Plant.of(
                FaultKind.STEP_ORPHANED,
                "a step of a task that is not there",
                (tenant, stored) -> {
                  Row step = stored.list(TenantSpace.STEP).get(0);
                  stored.set(
                      stored.key(TenantSpace.STEP, "task_none", step.key().text(1)), step.value());
                  return "task_none";
                })
            .mended(),
        Plant.of(
                FaultKind.RENEWAL_ORPHANED,
                "heartbeats of a lease that nobody holds",
                (tenant, stored) -> {
                  stored.set(stored.key(TenantSpace.RENEWAL, tenant.failed, 1L), new byte[8]);
                  return tenant.failed;
                })
            .mended(),
        Plant.of(
                FaultKind.USAGE_ORPHANED,
                "usage of a quota that is not there",
                (tenant, stored) -> {
                  stored.set(
                      stored.key(TenantSpace.USAGE, "quota_none", "tasks", 0L, 0L), new byte[8]);
                  return "quota_none";
                })
            .mended());
  }

  /** Appends sound events to the task that is held. */
  private static void append(RealTenant tenant, Stored stored, int count) {
    EventLog log = EventLog.open(stored.store, stored.layout);
    TaskRecord.Builder task = stored.task(tenant.held).toBuilder();
    for (int piece = 0; piece < count; piece += 200) {
      TaskRecord before = task.build();
      TaskRecord after =
          stored.store.transact(
              tr -> {
                TaskRecord.Builder record = before.toBuilder();
                EventAppender appender = log.appender(tr, Stored.TENANT);
                for (int i = 0; i < 200; i++) {
                  long sequence = record.getNextSequence();
                  EventRecord event =
                      EventRecord.newBuilder()
                          .setEvent(EventKinds.PROGRESS)
                          .setResourceObject("task")
                          .setResourceId(tenant.held)
                          .setTaskId(tenant.held)
                          .setSessionId(tenant.session)
                          .setSequence(sequence)
                          .build();
                  var unused =
                      appender.appendOfTask(
                          tenant.session, tenant.held, sequence, event.toByteArray());
                  record
                      .setNextSequence(sequence + 1)
                      .setLogDigestState(LogDigest.append(record.getLogDigestState(), event));
                  record.getTotalsBuilder().setEvents(sequence + 1);
                }
                appender.finish();
                return record.build();
              });
      task = after.toBuilder();
    }
    TaskRecord last = task.build();
    stored.change(tenant.held, t -> t.clear().mergeFrom(last));
  }

  /** A fault of the task that is held. */
  private static Plant task(FaultKind kind, String name, BiConsumer<RealTenant, Stored> planting) {
    return Plant.of(
        kind,
        name,
        (tenant, stored) -> {
          planting.accept(tenant, stored);
          return tenant.held;
        });
  }
}
