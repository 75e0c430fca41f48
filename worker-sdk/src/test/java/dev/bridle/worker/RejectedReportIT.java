package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.worker.v1.LeaseState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes of a report that the core rejects or cannot take. */
final class RejectedReportIT extends ReportingHandlers {
  @Test
  void aTaskIsNotCompletedOverARejectedReport() {
    core.rejectReport("note", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    fake.start(slowly(task -> report(task, "done")));
    String id = core.submitText("x");
    await(
        () ->
            core.ends(id)
                .equals(
                    List.of(
                        "failed handler_error CallRefused: report `note`: refused:"
                            + " ERROR_CODE_INVALID_REQUEST")));
    assertThat(core.appliedReports()).startsWith("progress:1", "used", "progress:2");
  }

  @Test
  void aComputedValueIsRecordedThoughAnEarlierReportIsRejected() {
    core.rejectReport("note", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    AtomicInteger rolls = new AtomicInteger();
    fake.start(
        slowly(
            task -> {
              report(task, "");
              int roll = task.step("roll", Integer.class, rolls::incrementAndGet);
              return TaskResult.of("rolled " + roll);
            }));
    String id = core.submitText("x");
    await(() -> core.calls("FailTask") == 1);
    assertThat(core.ends(id).get(0)).startsWith("failed handler_error CallRefused: report `note`");
    assertThat(core.step(id, "roll").hasValue()).isTrue();
    assertThat(rolls).hasValue(1);
  }

  @Test
  void aTaskWhoseStepMadeARejectedReportIsNotCompletedByALaterAttempt() {
    core.rejectReport("invalid", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    core.rejectReport("other kind", ErrorCode.ERROR_CODE_CONFLICT);
    fake.start(slowly(task -> act(task, task.input().text().orElseThrow())));
    for (String key : List.of("invalid", "other kind")) {
      String id = core.submitText(key);
      assertThat(fake.end(id)).startsWith("failed handler_error CallRefused: report `" + key + "`");
    }
    assertThat(core.calls("FailTask")).isEqualTo(2);
    assertThat(core.calls()).doesNotContain("CompleteTask");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatLetsARejectedReportEscapeIsNotAttemptedAgain(boolean wrapped) {
    core.rejectReport("invalid", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    fake.start(
        slowly(
            task -> {
              act(task, "invalid");
              try {
                task.message("hello", "Hello.");
              } catch (CallRefused e) {
                throw wrapped ? new IllegalStateException("no greeting", e) : e;
              }
              return TaskResult.of("never");
            }));
    String id = core.submitText("x");
    assertThat(fake.end(id))
        .startsWith(
            "failed handler_error "
                + (wrapped
                    ? "IllegalStateException: no greeting"
                    : "CallRefused: report `invalid`: "));
    assertThat(core.calls("FailTask")).isEqualTo(1);
    assertThat(core.step(id, "act").hasValue()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatFailsBeforeItSeesARejectedReportIsNotAttemptedAgain(boolean recorded) {
    core.rejectReport("invalid", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    fake.start(
        slowly(
            task -> {
              if (recorded) {
                act(task, "invalid");
              } else {
                task.sideEffect("invalid", SideEffect.command("ls", 0));
              }
              throw new IllegalStateException("no paper");
            }));
    String id = core.submitText("x");
    assertThat(fake.end(id))
        .startsWith(
            "failed handler_error IllegalStateException: no paper; CallRefused: report `invalid`");
    assertThat(core.calls()).doesNotContain("CompleteTask");
    assertThat(core.state(id)).isEqualTo(LeaseState.LEASE_STATE_FREE);
  }

  @Test
  void aHandlerThatFailsAfterItSawARejectedReportIsAttemptedAgain() {
    core.rejectReport("invalid", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    fake.start(
        slowly(
            task -> {
              act(task, "invalid");
              if (task.attempt() > 1) {
                return TaskResult.of("done");
              }
              try {
                task.flush();
                return TaskResult.of("never");
              } catch (CallRefused e) {
                throw new IllegalStateException("no paper");
              }
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
  }

  @Test
  void aClosingWorkerDoesNotGiveATaskWithARejectedReportBack() {
    core.rejectReport("invalid", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    CountDownLatch acted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Worker worker =
        fake.start(
            slowly(
                    task -> {
                      act(task, "invalid");
                      acted.countDown();
                      never.await();
                      return TaskResult.of("never");
                    })
                .closeGrace(Duration.ofMillis(1)));
    String id = core.submitText("x");
    await(() -> acted.getCount() == 0);
    worker.close();
    assertThat(core.ends(id)).hasSize(1);
    assertThat(core.ends(id).get(0)).startsWith("failed handler_error ").contains("`invalid`");
  }

  @Test
  void aTaskWhoseReportCouldNotBeSentIsAttemptedAgain() {
    core.rejectReport("write", ErrorCode.ERROR_CODE_UNAUTHENTICATED);
    AtomicInteger runs = new AtomicInteger();
    fake.start(
        slowly(
            task -> {
              runs.incrementAndGet();
              task.sideEffect("write", SideEffect.command("ls", 0));
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> runs.get() == 3 && !core.ends(id).isEmpty());
    assertThat(core.ends(id).get(0)).startsWith("retry handler_error CallRefused: report `write`");
  }

  @Test
  void aHandlerSeesARejectedReportAtItsNextCallAndMayGoOn() {
    core.rejectReport("note", ErrorCode.ERROR_CODE_INVALID_REQUEST);
    List<String> seen = new ArrayList<>();
    fake.start(
        slowly(
            task -> {
              report(task, "");
              try {
                task.message("hello", "Hello.");
              } catch (CallRefused e) {
                seen.add(e.stepKey().orElseThrow());
              }
              task.message("hello", "Hello.");
              return TaskResult.of("done all the same");
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done all the same")));
    assertThat(seen).containsExactly("note");
    assertThat(core.appliedReports()).containsExactly("progress:1", "used", "progress:2", "hello");
  }

  @Test
  void aReportUnderAKeyOfAnotherKindOfStepIsRefused() {
    fake.start(
        slowly(
            task -> {
              task.progressAs("key", "begin", OptionalDouble.empty());
              task.message("key", "Hello.");
              return TaskResult.of("never");
            }));
    String id = core.submitText("x");
    assertThat(fake.end(id))
        .startsWith("retry handler_error IllegalStateException: step key `key`");
  }

  private static TaskResult act(TaskContext task, String reportKey) throws Exception {
    task.step(
        "act",
        Integer.class,
        () -> {
          task.sideEffect(reportKey, SideEffect.command("ls", 0));
          return 1;
        });
    return TaskResult.of("done");
  }
}
