package dev.bridle.core.integrations.harpsession;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.SessionState;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the agent of a session does, and why a session has ended, in HARP's words. */
final class SessionActivityTest {
  private static TaskRecord task(String status, String permission) {
    return TaskRecord.newBuilder()
        .setTask(Task.newBuilder().setStatus(TaskStatus.valueOf("TASK_STATUS_" + status)))
        .setPermissionRequestId(permission)
        .build();
  }

  @ParameterizedTest(name = "a working task with the events {0} is {1}")
  @CsvSource({
    "'task.submitted task.started', planning",
    "'task.started vendor.bridle.model_called', planning",
    "'task.started vendor.bridle.file_written', editing",
    "'task.started vendor.bridle.command_run vendor.bridle.file_written', editing",
    "'vendor.bridle.file_written vendor.bridle.command_run agent.message', executing",
    "'vendor.bridle.tool_called', executing",
    "'tool.requested vendor.bridle.model_called', executing",
    "'vendor.bridle.network_egress', executing",
  })
  void aWorkingTaskDoesWhatItDidLast(String kinds, String expected) {
    SessionActivity activity =
        SessionActivity.of(
            List.of(task("FAILED", ""), task("WORKING", "")),
            task -> Arrays.asList(kinds.split(" ")));

    assertThat(activity.spelled()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "the newest task {0}, the one before {1}: {2}")
  @CsvSource({
    "FAILED,         COMPLETED, error",
    "COMPLETED,      FAILED,    idle",
    "CANCELED,       COMPLETED, idle",
    "SUBMITTED,      COMPLETED, idle",
    "INPUT_REQUIRED, COMPLETED, idle",
  })
  void whereNoTaskWorksTheNewestOneCounts(String newest, String before, String expected) {
    SessionActivity activity =
        SessionActivity.of(List.of(task(newest, ""), task(before, "")), task -> List.of("unread"));

    assertThat(activity.spelled()).isEqualTo(expected);
  }

  @Test
  void aPermissionThatIsWaitedForComesFirst() {
    List<TaskRecord> tasks =
        List.of(task("WORKING", ""), task("AUTH_REQUIRED", "permission_1"), task("FAILED", ""));

    assertThat(SessionActivity.of(tasks, task -> List.of()).spelled())
        .isEqualTo("waiting_approval");
    assertThat(SessionActivity.of(List.of(), task -> List.of()).spelled()).isEqualTo("idle");
  }

  @ParameterizedTest(name = "a session that is {0} has ended with {1}")
  @CsvSource({
    "ACTIVE, ''",
    "IDLE,   ''",
    "PAUSED, ''",
    "CLOSED, user_end",
    "FAILED, policy_kill",
  })
  void aSessionEndsForTheReasonOfItsState(String state, String expected) {
    assertThat(
            EndReason.of(SessionState.valueOf("SESSION_STATE_" + state))
                .map(EndReason::spelled)
                .orElse(""))
        .isEqualTo(expected);
  }
}
