package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.ArtifactKind;
import io.grpc.Status;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a worker runs its handler and tells the core how that went. */
final class WorkerRunIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(30));
  private final FakeCore core = fake.core();

  @Test
  void aTrivialTaskCostsOneLeaseAndOneCall() {
    fake.start(task -> TaskResult.of("did " + task.input().text().orElseThrow()));
    String id = core.submitText("it");
    await(() -> core.ends(id).equals(List.of("completed did it")));
    assertThat(core.calls())
        .filteredOn(call -> !call.equals("want"))
        .containsExactly("LeaseTasks", "CompleteTask");
  }

  @Test
  void manyShortTasksCostFewRequestsForMore() {
    fake.start(fake.worker().slots(64).handler(task -> TaskResult.of("done")));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      String id = core.submitText("x");
      ids.add(id);
      await(() -> !core.ends(id).isEmpty());
    }
    assertThat(ids).allSatisfy(id -> assertThat(core.ends(id)).containsExactly("completed done"));
    assertThat(core.calls("want")).isLessThan(100);
  }

  @Test
  void noMoreHandlersRunAtATimeThanThereAreSlots() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    fake.start(
        fake.worker()
            .slots(3)
            .handler(
                task -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  go.await();
                  running.decrementAndGet();
                  return TaskResult.of("done");
                }));
    List<String> ids = IntStream.range(0, 12).mapToObj(i -> core.submitText("x")).toList();
    await(() -> running.get() == 3);
    go.countDown();
    await(() -> ids.stream().allMatch(id -> core.ends(id).size() == 1));
    assertThat(most).hasValue(3);
  }

  @Test
  void whatAHandlerTellsIsRecordedUnderItsKeys() {
    fake.start(
        task -> {
          task.progress("begin");
          task.progress("half", 0.5);
          task.message("hello", "Hello.");
          task.event("note", "vendor.note", JsonNodeFactory.instance.objectNode().put("a", 1));
          var made =
              task.artifact(
                  "report",
                  ArtifactKind.ARTIFACT_KIND_FILE,
                  "text/plain",
                  "abc".getBytes(StandardCharsets.UTF_8));
          int roll = task.step("host:dice:1", Integer.class, () -> 6);
          return TaskResult.of(made.getId() + " " + roll).withArtifact(made);
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed artifact_report 6")));
    assertThat(core.stepKeys(id))
        .containsExactly("hello", "host:dice:1", "note", "progress:1", "progress:2", "report");
  }

  @Test
  void aRerunGetsRecordedStepsWithoutRunningOrTellingThemAgain() {
    AtomicInteger rolls = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    fake.start(
        task -> {
          task.progress("begin");
          task.message("hello", "Hello.");
          int roll =
              task.step(
                      "host:dice:1", IntNode.class, () -> IntNode.valueOf(rolls.incrementAndGet()))
                  .intValue();
          if (runs.incrementAndGet() == 1) {
            throw new IllegalStateException("a bad moment");
          }
          return TaskResult.of("rolled " + roll + " in attempt " + task.attempt());
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed rolled 1 in attempt 2")));
    assertThat(rolls).hasValue(1);
    assertThat(core.calls("ReportStep")).as("the message carries the progress").isEqualTo(2);
    assertThat(core.calls("ListSteps")).as("three steps in pages of two").isEqualTo(2);
  }

  @Test
  void aRerunDoesNotReadTheKeysOfAnotherRun() {
    AtomicInteger runs = new AtomicInteger();
    List<Boolean> known = new ArrayList<>();
    fake.start(
        new TaskHandler() {
          @Override
          public TaskResult handle(TaskContext task) {
            for (String key : List.of("allowed", "outcome", "event:" + runs + ":0")) {
              known.add(task.recorded(key));
            }
            task.message("allowed", "Before the events, in the order of keys.");
            int run = runs.incrementAndGet();
            for (int i = 0; i < 1000; i++) {
              task.event(
                  "event:" + run + ":" + i, "vendor.said", JsonNodeFactory.instance.nullNode());
            }
            task.message("outcome", "After the events.");
            if (run == 1) {
              throw new IllegalStateException("a bad moment");
            }
            return TaskResult.of("done");
          }

          @Override
          public String keysOfOneRun() {
            return "event:";
          }
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));

    assertThat(core.stepKeys(id)).hasSize(2002);
    assertThat(core.calls("ListSteps")).as("a thousand events in pages of two").isEqualTo(2);
    assertThat(known).containsExactly(false, false, false, true, true, false);
  }

  @Test
  void aStepKeyThatMeansSomethingElseThanBeforeIsRefused() {
    fake.start(
        task -> {
          task.message("key", "Hello.");
          task.step("key", () -> IntNode.valueOf(1));
          return TaskResult.of("never");
        });
    String id = core.submitText("x");
    assertThat(fake.end(id))
        .startsWith("retry handler_error IllegalStateException: step key `key`");
  }

  @Test
  void aRecordedNumberKeepsAllItsDigits() {
    Set<BigDecimal> seen = ConcurrentHashMap.newKeySet();
    BigDecimal exact = new BigDecimal("9007199254740993.000000000000000001");
    fake.start(
        task -> {
          seen.add(task.step("n", BigDecimal.class, () -> exact));
          return TaskResult.of("done");
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).size() == 1);
    assertThat(seen).containsExactly(exact);
  }

  @Test
  void anHonestFailureEndsTheTask() {
    fake.start(
        task -> {
          throw new TaskFailure("no_paper", "The printer is out of paper.");
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("failed no_paper The printer is out of paper.")));
  }

  @Test
  void anyOtherExceptionEndsTheAttemptWithoutAStackTrace() {
    fake.start(
        task -> {
          throw new IllegalStateException("a bad moment");
        });
    String id = core.submitText("x");
    await(
        () ->
            core.ends(id)
                .equals(List.of("retry handler_error IllegalStateException: a bad moment")));
    assertThat(core.calls("FailTask")).isEqualTo(3);
  }

  @Test
  void callsAreRepeatedWhileTheCoreCannotBeReached() {
    core.failNext("ReportStep", 2);
    core.failNext("CompleteTask", 2);
    fake.start(
        task -> {
          task.message("hello", "Hello.");
          return TaskResult.of("done");
        });
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.calls("ReportStep")).isEqualTo(3);
    assertThat(core.calls("CompleteTask")).isEqualTo(3);
  }

  @Test
  void anEndWhoseAnswerWasLostIsToldOnce() {
    core.loseAnswers("CompleteTask", 1);
    fake.start(task -> TaskResult.of("done"));
    String id = core.submitText("x");
    await(() -> core.calls("CompleteTask") == 2);
    assertThat(core.ends(id)).containsExactly("completed done");
  }

  @Test
  void aRegistrationIsMadeAtTheStart() {
    fake.start(fake.worker().agentId("counter").handler(task -> TaskResult.of("done")));
    assertThat(core.calls("RegisterWorker")).isEqualTo(1);
  }

  @Test
  void aWorkerWithoutAHandlerIsNotBuilt() {
    assertThatThrownBy(() -> fake.worker().build())
        .hasMessage("handler is not set, expected a TaskHandler");
    assertThatThrownBy(() -> fake.worker().slots(0)).hasMessage("slots is 0, expected 1 to 1000");
  }

  @Test
  void aRefusalNamesTheProtocolsCode() {
    CallRefused refused =
        CallRefused.from(
            FakeCore.refusal(ErrorCode.ERROR_CODE_POLICY_VIOLATION, Status.FAILED_PRECONDITION));
    assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_POLICY_VIOLATION);
    assertThat(refused.param()).isEmpty();
    assertThat(CallRefused.from(Status.UNAVAILABLE.asRuntimeException()).isTransient()).isTrue();
  }
}
