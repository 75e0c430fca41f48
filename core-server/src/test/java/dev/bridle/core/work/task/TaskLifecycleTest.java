package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.task.v1.TaskStatus;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TaskLifecycleTest {
  private static final Set<TaskStatus> STATES =
      EnumSet.complementOf(EnumSet.of(TaskStatus.UNRECOGNIZED, TaskStatus.TASK_STATUS_UNSPECIFIED));

  /** The protocol's table, spelled again by hand. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "SUBMITTED", Set.of("WORKING", "CANCELED", "FAILED"),
          "WORKING", Set.of("INPUT_REQUIRED", "AUTH_REQUIRED", "COMPLETED", "FAILED", "CANCELED"),
          "INPUT_REQUIRED", Set.of("WORKING", "FAILED", "CANCELED"),
          "AUTH_REQUIRED", Set.of("WORKING", "FAILED", "CANCELED"),
          "COMPLETED", Set.of(),
          "FAILED", Set.of(),
          "CANCELED", Set.of());

  @Test
  void exactlyTheTransitionsOfTheProtocolAreAllowed() {
    for (TaskStatus from : STATES) {
      for (TaskStatus to : STATES) {
        boolean allowed = ALLOWED.get(TaskLifecycle.spell(from)).contains(TaskLifecycle.spell(to));
        assertThat(TaskLifecycle.find(from, to).isPresent())
            .as("%s to %s", from, to)
            .isEqualTo(allowed);
        if (!allowed) {
          assertThatThrownBy(() -> TaskLifecycle.need(from, to))
              .isInstanceOfSatisfying(
                  ProtocolException.class,
                  refused ->
                      assertThat(refused.code())
                          .isEqualTo(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION));
        }
      }
    }
  }

  @Test
  void nothingLeadsOutOfATerminalState() {
    assertThat(TaskLifecycle.table()).noneMatch(row -> TaskLifecycle.terminal(row.from()));
    assertThat(STATES.stream().filter(TaskLifecycle::terminal)).hasSize(3);
  }

  @Test
  void everyTransitionTellsAnEventOfTheTaxonomy() {
    assertThat(TaskLifecycle.table())
        .allSatisfy(row -> assertThat(row.event()).startsWith("task."))
        .hasSize(14);
  }
}
