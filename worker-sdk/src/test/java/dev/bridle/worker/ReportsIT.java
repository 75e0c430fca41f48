package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.StepReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When progress, events and usage of a handler reach the core. */
final class ReportsIT extends ReportingHandlers {
  private static final byte[] CONTENT = {1, 2, 3};

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
  void anActionIsDoneWithTheArgumentsThatWereApproved() {
    var action = JsonNodeFactory.instance.objectNode();
    action.putObject("input").put("path", "a");
    var why = JsonNodeFactory.instance.objectNode().put("why", "tests");
    Permission asked = Permission.of("tool_call", action, "May I?").withMetadata(why);
    fake.start(
        slowly(
            task -> {
              Decision plain = task.requestPermission("plain", asked);
              Decision changed =
                  task.requestPermission("changed", asked.acceptingModified("input"));
              return TaskResult.of(
                  plain.answer().orElseThrow()
                      + " "
                      + plain.modifiedArguments().isPresent()
                      + " "
                      + changed.modifiedArguments().orElseThrow());
            }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("May I?"));
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(
        () ->
            core.ends(id)
                .equals(List.of("completed {\"why\":\"tests\"} false {\"replaces\":\"input\"}")));
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
  void aCoreThatKnowsNoEarlierReportsGetsEachByItself() {
    core.takeNoEarlierReports();
    fake.start(slowly(task -> report(task, "done")));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "note", "used", "progress:2");
    assertThat(core.calls("ReportStep")).isEqualTo(4);
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

  @Test
  void whatAComputationReportsNamesTheStepThatItIsMadeFor() {
    fake.start(
        slowly(
            task -> {
              task.step(
                  "outer",
                  Integer.class,
                  () -> {
                    task.progress("within");
                    return task.step("inner", Integer.class, () -> 1) + 1;
                  });
              task.progress("after");
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.applied())
        .extracting(StepReport::getStepKey, StepReport::getParentStepKey)
        .containsExactly(
            tuple("progress:1", "outer"),
            tuple("inner", "outer"),
            tuple("outer", ""),
            tuple("progress:2", ""));
  }

  @Test
  void aComputationThatFailsIsAnEventWithoutTheMessage() {
    fake.start(
        slowly(
            task -> {
              try {
                return TaskResult.of(
                    task.step(
                        "call",
                        String.class,
                        () -> {
                          throw new IOException("the secret is 1234");
                        }));
              } catch (IOException e) {
                return TaskResult.of("without it");
              }
            }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed without it")));
    assertThat(core.applied())
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.getParentStepKey()).isEmpty();
              assertThat(report.getEvent().getEvent()).isEqualTo("vendor.worker_sdk.step_failed");
              assertThat(report.getEvent().getPayload().toStringUtf8())
                  .isEqualTo("{\"step_key\":\"call\",\"error\":\"java.io.IOException\"}");
            });
  }

  private List<String> aboutTasks() {
    List<String> streams = List.of("LeaseTasks", "want", "Heartbeat", "RegisterWorker");
    return core.calls().stream().filter(call -> !streams.contains(call)).toList();
  }
}
