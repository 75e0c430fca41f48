package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;

/** Lists the recorded steps of a task for the worker that holds its lease. */
final class StepLists {
  private final KeyValueStore store;
  private final TaskStore tasks;
  private final Steps steps;

  StepLists(KeyValueStore store, TaskStore tasks, Steps steps) {
    this.store = store;
    this.tasks = tasks;
    this.steps = steps;
  }

  ListStepsResponse list(Caller caller, ListStepsRequest request) {
    return store.read(
        tr -> {
          Fences.needWorking(
              tasks.need(tr, caller, request.getTaskId()), caller, request.getFence());
          return steps.list(tr, caller.tenant(), request.getTaskId(), request.getAfterStepKey());
        });
  }
}
