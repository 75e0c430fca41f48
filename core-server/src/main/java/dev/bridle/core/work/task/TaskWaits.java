package dev.bridle.core.work.task;

import dev.bridle.record.v1.HostCall;
import dev.bridle.record.v1.TaskRecord;

/** What a task waits for, as a {@link TaskChange} changes it. */
public final class TaskWaits {
  private final TaskRecord.Builder record;

  TaskWaits(TaskRecord.Builder record) {
    this.record = record;
  }

  /** Sets the question that the task waits for, by its step key. */
  public void askQuestion(String stepKey) {
    record.setQuestionStepKey(stepKey);
  }

  /** Clears the question that the task waits for. */
  public void closeQuestion() {
    record.setQuestionStepKey("");
  }

  /** Sets the permission request that the task waits for. */
  public void waitForPermission(String requestId) {
    record.setPermissionRequestId(requestId);
  }

  /** Clears the permission request that the task waits for. */
  public void clearPermission() {
    record.setPermissionRequestId("");
  }

  /** Sets the tool call that the task waits for. */
  public void waitForHostCall(HostCall call) {
    record.setHostCall(call);
  }

  /** Clears the tool call that the task waits for. */
  public void clearHostCall() {
    record.clearHostCall();
  }
}
