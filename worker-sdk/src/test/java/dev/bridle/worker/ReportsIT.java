package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.PermissionVerdict;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When progress, events and usage of a handler reach the core. */
final class ReportsIT {
  private static final byte[] CONTENT = {1, 2, 3};
  private static final Duration LONG = Duration.ofSeconds(5);

  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(30));
  private final FakeCore core = fake.core();

  @Test
  void theEndCarriesWhatTheHandlerReported() {
    fake.start(slowly(task -> report(task, "done")));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "note", "used", "progress:2");
    assertThat(aboutTasks()).containsExactly("CompleteTask");
  }

  @Test
  void aStepWithAResultCarriesWhatWasReportedBefore() {
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.artifact("file", ArtifactKind.ARTIFACT_KIND_FILE, "text/plain", CONTENT);
              task.progress("half");
              task.message("hello", "Hello.");
              task.progress("more");
              task.step("roll", Integer.class, () -> 6);
              task.progress("last");
              task.secret("token");
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports())
        .containsExactly(
            "progress:1", "file", "progress:2", "hello", "progress:3", "roll", "progress:4");
    assertThat(aboutTasks())
        .containsExactly("ReportStep", "ReportStep", "ReportStep", "UseSecret", "CompleteTask");
  }

  @Test
  void aQuestionCarriesWhatWasReportedBefore() {
    AtomicInteger runs = new AtomicInteger();
    fake.start(
        slowly(
            task -> {
              runs.incrementAndGet();
              task.progress("begin");
              String answer = GivenInput.textOf(task.requestInput("q", "How many?")).orElseThrow();
              task.progress("end");
              return TaskResult.of(answer);
            }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    assertThat(core.appliedReports()).containsExactly("progress:1");
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed seven")));
    assertThat(runs).hasValue(2);
    assertThat(core.appliedReports()).containsExactly("progress:1", "progress:2");
    assertThat(core.calls("ReportStep")).isZero();
  }

  @Test
  void aParkedHandlerGoesOnReportingUnderItsNewLease() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  task.progress("begin");
                  task.requestInput("q", Question.of("How many?").holding(Duration.ofMinutes(1)));
                  task.progress("end");
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "progress:2");
  }

  @Test
  void aPermissionRequestCarriesWhatWasReportedBefore() {
    var action = JsonNodeFactory.instance.objectNode().put("command", "ls");
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.requestPermission("may", Permission.of("command", action, "May I?"));
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("May I?"));
    assertThat(core.appliedReports()).containsExactly("progress:1");
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.ends(id).equals(List.of("completed done")));
  }

  @Test
  void progressIsSeenWhileTheHandlerWorks() {
    CountDownLatch go = new CountDownLatch(1);
    fake.start(
        task -> {
          task.progress("begin");
          task.progress("half");
          go.await();
          return TaskResult.of("done");
        });
    String id = core.submitText("x");
    await(() -> core.appliedReports().equals(List.of("progress:1", "progress:2")));
    assertThat(core.ends(id)).isEmpty();
    go.countDown();
    await(() -> core.ends(id).equals(List.of("completed done")));
  }

  @Test
  void aFlushMakesDurableWhatWasReported() {
    List<String> seen = new ArrayList<>();
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.flush();
              seen.addAll(core.appliedReports());
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(seen).containsExactly("progress:1");
  }

  @Test
  void manyReportsKeepTheirOrderWhateverCarriesThem() {
    List<String> keys = IntStream.range(0, 1000).mapToObj(n -> "r" + n).toList();
    fake.start(
        task -> {
          for (int n = 0; n < keys.size(); n++) {
            if (n % 97 == 0) {
              task.message(keys.get(n), "Hello.");
            } else {
              task.event(keys.get(n), "vendor.note", JsonNodeFactory.instance.objectNode());
            }
          }
          return TaskResult.of("done");
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactlyElementsOf(keys);
    assertThat(core.calls("ReportStep")).isLessThan(100);
  }

  @Test
  void callsWhoseAnswersWereLostApplyTheirReportsOnce() {
    core.loseAnswers("ReportStep", 1);
    core.loseAnswers("CompleteTask", 2);
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.message("hello", "Hello.");
              task.progress("end");
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.calls("CompleteTask") == 3);
    assertThat(core.ends(id)).containsExactly("completed done");
    assertThat(core.appliedReports()).containsExactly("progress:1", "hello", "progress:2");
  }

  @Test
  void aFailureCarriesWhatTheHandlerReported() {
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              throw new TaskFailure("no_paper", "The printer is out of paper.");
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("failed no_paper The printer is out of paper.")));
    assertThat(core.appliedReports()).containsExactly("progress:1");
    assertThat(aboutTasks()).containsExactly("FailTask");
  }

  @Test
  void anAcknowledgedCancellationCarriesWhatTheHandlerReported() {
    CountDownLatch reported = new CountDownLatch(1);
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              reported.countDown();
              task.pause(Duration.ofMinutes(5));
              return TaskResult.of("never");
            }));
    String id = core.submitText("x");
    await(() -> reported.getCount() == 0);
    core.cancel(id, true);
    await(() -> core.ends(id).equals(List.of("canceled")));
    assertThat(core.appliedReports()).containsExactly("progress:1");
  }

  @Test
  void aClosingWorkerGivesItsTaskBackWithWhatTheHandlerReported() {
    CountDownLatch reported = new CountDownLatch(1);
    Worker worker =
        fake.start(
            fake.worker()
                .reportDelay(LONG)
                .closeGrace(Duration.ofMillis(1))
                .handler(
                    task -> {
                      task.progress("begin");
                      reported.countDown();
                      task.pause(Duration.ofMinutes(5));
                      return TaskResult.of("never");
                    }));
    core.submitText("x");
    await(() -> reported.getCount() == 0);
    worker.close();
    assertThat(core.appliedReports()).containsExactly("progress:1");
    assertThat(core.calls("FailTask")).isEqualTo(1);
  }

  @Test
  void reportsUnderALostLeaseAreNotApplied() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    Queue<TaskCancelled.Reason> reasons = new ConcurrentLinkedQueue<>();
    fake.start(
        slowly(
            task -> {
              started.countDown();
              taken.await();
              try {
                task.progress("begin");
                task.flush();
                return TaskResult.of("never");
              } catch (TaskCancelled e) {
                reasons.add(e.reason());
                throw e;
              }
            }));
    String id = core.submitText("x");
    await(() -> started.getCount() == 0);
    core.takeAway(id, false);
    taken.countDown();
    await(() -> !reasons.isEmpty());
    assertThat(reasons).containsExactly(TaskCancelled.Reason.LEASE_LOST);
    assertThat(core.appliedReports()).isEmpty();
    assertThat(core.calls()).doesNotContain("CompleteTask", "FailTask");
  }

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

  @Test
  void aCoreThatKnowsNoEarlierReportsGetsEachByItself() {
    core.takeNoEarlierReports();
    fake.start(slowly(task -> report(task, "done")));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "note", "used", "progress:2");
    assertThat(core.calls("ReportStep")).isEqualTo(4);
  }

  @Test
  void aParkedHandlerThatGoesOnUnderAnOlderCoreSendsEachReportByItself() {
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.requestInput("q", Question.of("How many?").holding(Duration.ofMinutes(1)));
              task.progress("half");
              task.progress("end");
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    core.takeNoEarlierReports();
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "progress:2", "progress:3");
    assertThat(core.calls("ReportStep")).isEqualTo(2);
  }

  @Test
  void reportsOfAWorkerWithoutADelayAreDurableAtOnce() {
    List<String> seen = new ArrayList<>();
    fake.start(
        fake.worker()
            .reportDelay(Duration.ZERO)
            .handler(
                task -> {
                  task.progress("begin");
                  seen.addAll(core.appliedReports());
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(seen).containsExactly("progress:1");
  }

  private static TaskResult report(TaskContext task, String result) {
    task.progress("begin");
    task.event("note", "vendor.note", JsonNodeFactory.instance.objectNode().put("a", 1));
    task.usage("used", Usage.ofModel("model", 1, 2, BigDecimal.ZERO));
    task.progress("end");
    return TaskResult.of(result);
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

  /** A worker whose reports wait as long as they may. */
  private WorkerBuilder slowly(TaskHandler handler) {
    return fake.worker().reportDelay(LONG).handler(handler);
  }

  private List<String> aboutTasks() {
    List<String> streams = List.of("LeaseTasks", "want", "Heartbeat", "RegisterWorker");
    return core.calls().stream().filter(call -> !streams.contains(call)).toList();
  }
}
