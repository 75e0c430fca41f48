package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.replay.OriginRun;
import dev.bridle.core.work.replay.OriginValues;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.worker.v1.CheckRecordedValuesRequest;
import dev.bridle.worker.v1.CheckRecordedValuesResponse;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;

/** Lists the recorded steps of a task for the worker that holds its lease. */
final class StepLists {
  private final KeyValueStore store;
  private final TaskStore tasks;
  private final Steps steps;
  private final OriginRun origin;
  private final OriginValues values;

  StepLists(
      KeyValueStore store, TaskStore tasks, Steps steps, OriginRun origin, OriginValues values) {
    this.origin = origin;
    this.values = values;
    this.store = store;
    this.tasks = tasks;
    this.steps = steps;
  }

  ListStepsResponse list(Caller caller, ListStepsRequest request) {
    return store.read(
        tr -> {
          TaskRecord task = tasks.need(tr, caller, request.getTaskId());
          Fences.needWorking(task, caller, request.getFence());
          if (HandlerReplays.is(task)) {
            return origin.steps(tr, caller.tenant(), task, request.getAfterStepKey());
          }
          return steps.list(tr, caller.tenant(), request.getTaskId(), request.getAfterStepKey());
        });
  }

  CheckRecordedValuesResponse check(Caller caller, CheckRecordedValuesRequest request) {
    return store.read(
        tr -> {
          TaskRecord replay = tasks.need(tr, caller, request.getTaskId());
          Fences.needWorking(replay, caller, request.getFence());
          return values.check(
              tr, caller.tenant(), replay, request.getSourceTaskId(), request.getAfterStepKey());
        });
  }
}
