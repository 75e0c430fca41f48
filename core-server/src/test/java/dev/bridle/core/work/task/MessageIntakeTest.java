package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Role;
import dev.bridle.record.v1.Parked;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.task.v1.TaskStatus;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a message to a task, in each of its states. */
class MessageIntakeTest {
  private static final String STATE = "invalid_state_transition";

  /** A kind and mode in the order of the states: what becomes of it where. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # kind, mode, SUBMITTED, WORKING, INPUT_REQUIRED, AUTH_REQUIRED, COMPLETED
          INPUT,             -,                   no,        no,        ANSWER,    no,        no
          INPUT,             WAIT_FOR_COMPLETION, FOLLOW_UP, FOLLOW_UP, FOLLOW_UP, FOLLOW_UP, FOLLOW_UP
          INPUT,             FINISH_STEP,         no,        DELIVER,   DELIVER,   DELIVER,   no
          INPUT,             INTERRUPT_IMMEDIATE, no,        DELIVER,   DELIVER,   DELIVER,   no
          INTERRUPT,         -,                   RECORD,    DELIVER,   DELIVER,   DELIVER,   no
          INTERRUPT,         WAIT_FOR_COMPLETION, bad,       bad,       bad,       bad,       bad
          INTERRUPT,         FINISH_STEP,         bad,       bad,       bad,       bad,       bad
          INTERRUPT,         INTERRUPT_IMMEDIATE, no,        DELIVER,   DELIVER,   DELIVER,   no
          TOOL_CONFIRMATION, -,                   CONFIRM,   CONFIRM,   CONFIRM,   CONFIRM,   CONFIRM
          TOOL_CONFIRMATION, FINISH_STEP,         bad,       bad,       bad,       bad,       bad
          """)
  void theKindAndTheModeAndTheStateDecide(
      String kind,
      String mode,
      String submitted,
      String working,
      String inputRequired,
      String authRequired,
      String completed) {
    AppendTaskMessageRequest request = request(kind, mode).build();
    Map<TaskStatus, String> expected =
        Map.of(
            TaskStatus.TASK_STATUS_SUBMITTED, submitted,
            TaskStatus.TASK_STATUS_WORKING, working,
            TaskStatus.TASK_STATUS_INPUT_REQUIRED, inputRequired,
            TaskStatus.TASK_STATUS_AUTH_REQUIRED, authRequired,
            TaskStatus.TASK_STATUS_COMPLETED, completed,
            TaskStatus.TASK_STATUS_FAILED, completed,
            TaskStatus.TASK_STATUS_CANCELED, completed);
    expected.forEach(
        (status, becomes) ->
            assertThat(outcome(request, task(status, true).build()))
                .as("%s", status)
                .isEqualTo(
                    switch (becomes) {
                      case "no" -> STATE;
                      case "bad" -> "invalid_request";
                      default -> becomes;
                    }));
  }

  @ParameterizedTest
  @EnumSource(
      value = TaskMessageMode.class,
      names = {"TASK_MESSAGE_MODE_FINISH_STEP", "TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE"})
  void aWorkerThatTakesNoMessagesGetsNone(TaskMessageMode mode) {
    AppendTaskMessageRequest request = request("INPUT", "-").setMode(mode).build();
    TaskRecord task = task(TaskStatus.TASK_STATUS_WORKING, false).build();

    assertThat(outcome(request, task)).isEqualTo(STATE);
    assertThat(outcome(request("INTERRUPT", "-").build(), task)).isEqualTo("RECORD");
  }

  @Test
  void aTaskThatIsCanceledOrParkedHereGetsNone() {
    AppendTaskMessageRequest request = request("INPUT", "FINISH_STEP").build();

    assertThat(
            outcome(
                request,
                task(TaskStatus.TASK_STATUS_WORKING, true).setCancelRequestedAt(1).build()))
        .isEqualTo(STATE);
    assertThat(
            outcome(
                request,
                task(TaskStatus.TASK_STATUS_WORKING, true)
                    .setParked(Parked.getDefaultInstance())
                    .build()))
        .isEqualTo(STATE);
  }

  @Test
  void aMessageWithAModeIsOfTheUserAndAnswersNoQuestion() {
    TaskRecord task = task(TaskStatus.TASK_STATUS_INPUT_REQUIRED, true).build();

    assertThat(outcome(request("INPUT", "FINISH_STEP").setStepKey("ask").build(), task))
        .isEqualTo("invalid_request");
    assertThat(
            outcome(
                request("INPUT", "FINISH_STEP")
                    .setMessage(MessageInput.newBuilder().setRole(Role.ROLE_AGENT))
                    .build(),
                task))
        .isEqualTo("invalid_request");
  }

  private static AppendTaskMessageRequest.Builder request(String kind, String mode) {
    AppendTaskMessageRequest.Builder request =
        AppendTaskMessageRequest.newBuilder()
            .setTaskId("task_1")
            .setKind(TaskMessageKind.valueOf("TASK_MESSAGE_KIND_" + kind))
            .setMessage(MessageInput.newBuilder().setRole(Role.ROLE_USER));
    Arrays.stream(TaskMessageMode.values())
        .filter(known -> known.name().equals("TASK_MESSAGE_MODE_" + mode))
        .forEach(request::setMode);
    return request;
  }

  private static TaskRecord.Builder task(TaskStatus status, boolean takesMessages) {
    TaskRecord.Builder task = TaskRecord.newBuilder();
    task.getTaskBuilder().setStatus(status);
    task.getLeaseBuilder().setTakesMessages(takesMessages);
    return task;
  }

  private static String outcome(AppendTaskMessageRequest request, TaskRecord task) {
    try {
      return MessageIntake.of(request, task).name();
    } catch (ProtocolException e) {
      return e.code().name().substring("ERROR_CODE_".length()).toLowerCase(Locale.ROOT);
    }
  }
}
