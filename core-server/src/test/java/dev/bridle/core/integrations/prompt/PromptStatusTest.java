package dev.bridle.core.integrations.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.Failure;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.PromptRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of an accepted prompt, by its task. */
final class PromptStatusTest {
  @ParameterizedTest(name = "a task that is {0}, taken: {1}, expired: {2}, failed with {3}: {4}")
  @CsvSource({
    "SUBMITTED,      false, false, '',               queued",
    "SUBMITTED,      true,  false, '',               delivered",
    "WORKING,        true,  false, '',               delivered",
    "INPUT_REQUIRED, true,  false, '',               delivered",
    "COMPLETED,      true,  false, '',               delivered",
    "FAILED,         true,  false, 'internal_error', delivered",
    "CANCELED,       true,  false, '',               delivered",
    "CANCELED,       false, true,  '',               expired",
    "CANCELED,       true,  true,  '',               delivered",
    "CANCELED,       false, false, '',               error",
    "FAILED,         false, false, 'internal_error', error",
    "FAILED,         false, false, 'rate_limited',   rejected",
    "FAILED,         false, false, 'policy_violation', rejected",
  })
  void theStatusFollowsFromTheTask(
      String status, boolean taken, boolean expired, String failure, String expected) {
    TaskRecord task =
        TaskRecord.newBuilder()
            .setTask(
                Task.newBuilder()
                    .setStatus(TaskStatus.valueOf("TASK_STATUS_" + status))
                    .setFailure(Failure.newBuilder().setCode(failure)))
            .setLease(Lease.newBuilder().setFence(taken ? 7 : 0))
            .build();

    assertThat(PromptStatus.of(PromptRecord.newBuilder().setExpired(expired).build(), task))
        .extracting(PromptStatus::spelled)
        .isEqualTo(expected);
  }
}
