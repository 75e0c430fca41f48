package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.cli.handler.RandomWork.Plant;
import dev.bridle.fixtures.client.Json;
import dev.bridle.sampling.Sample;
import dev.bridle.worker.Question;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handlers of real workers that run again in replays, over sockets, on a real server. */
final class ExecutedReplayIT extends ReplayedHandlers {
  private static final int FEW = 6;
  private static final int MANY = 100;

  @Test
  void aHandlerThatRecordsAllDoesTheSameAgain() {
    sameAgain(IntStream.range(0, FEW).boxed().toList());
  }

  @Tag("slow")
  @Test
  void manyHandlersThatRecordAllDoTheSameAgain() {
    sameAgain(Sample.of("handlers").among(FEW, MANY - 1));
  }

  private static void sameAgain(List<Integer> seeds) {
    for (int seed : seeds) {
      TaskHandler handler = new RandomWork(seed, Optional.empty());
      String task = run(handler, "COMPLETED");

      JsonNode replay = replayed(task, handler);

      assertThat(replay.get("status").textValue())
          .as("seed %d: %s", seed, failure(replay))
          .isEqualTo("COMPLETED");
      assertThat(payload(replay, "replay.completed").get("segment_receipt_hash"))
          .as("seed %d: each replay makes the same segment", seed)
          .isEqualTo(
              payload(replayed(task, handler), "replay.completed").get("segment_receipt_hash"));
    }
  }

  @Test
  void whatIsNotDeterministicIsNamed() {
    planted(List.of(0));
  }

  @Tag("slow")
  @Test
  void whatIsNotDeterministicIsNamedAmongMuchElse() {
    planted(Sample.of("handlers that differ").among(1, 9));
  }

  private static void planted(List<Integer> seeds) {
    for (Plant plant : Plant.values()) {
      for (int seed : seeds) {
        TaskHandler handler = new RandomWork(seed, Optional.of(plant));
        String task = run(handler, "COMPLETED");

        JsonNode replay = replayed(task, handler);

        assertThat(replay.get("status").textValue()).as("%s", plant).isEqualTo("FAILED");
        assertThat(failure(replay))
            .as("%s, seed %d", plant, seed)
            .contains("replay_diverged", plant == Plant.SUMMARY ? "summary" : "step planted");
        assertThat(payload(replay, "replay.failed").get("code").textValue())
            .isEqualTo("replay_diverged");
      }
    }
  }

  @Test
  void aFailureWithinAStepIsThrownAgain() {
    TaskHandler handler =
        context -> {
          try {
            context.step(
                "llm:1",
                () -> {
                  throw new TaskFailure("no_answer", "The model says nothing.");
                });
          } catch (TaskFailure e) {
            throw new TaskFailure(e.code(), "In vain: " + e.getMessage());
          }
          return TaskResult.of("done");
        };
    String task = run(handler, "FAILED");

    JsonNode replay = replayed(task, handler);

    assertThat(payload(replay, "replay.completed").get("final_state").textValue())
        .as(failure(replay))
        .isEqualTo("FAILED");
    assertThat(replay.at("/failure/code").textValue()).isEqualTo("no_answer");
  }

  @Test
  void failuresOfAStepAreThrownInTheirOrder() {
    TaskHandler handler =
        context -> {
          for (int i = 0; i < 8; i++) {
            AtomicInteger tries = new AtomicInteger();
            String key = "llm:" + i;
            for (int attempt = 0; attempt < 3; attempt++) {
              try {
                context.step(
                    key,
                    () -> {
                      if (tries.incrementAndGet() < 3) {
                        throw new TaskFailure("try_" + tries.get(), "not yet");
                      }
                      return Json.object();
                    });
              } catch (TaskFailure e) {
                context.event(key + e.code(), "vendor.tried", Json.object().put("n", attempt));
              }
            }
          }
          return TaskResult.of("done");
        };
    String task = run(handler, "COMPLETED");

    JsonNode replay = replayed(task, handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
  }

  @Test
  void aLargeArtifactIsCompared() {
    byte[] content = new byte[1 << 20];
    TaskHandler handler =
        context -> {
          var artifact =
              context.artifact(
                  "large", ArtifactKind.ARTIFACT_KIND_FILE, "application/octet-stream", content);
          return TaskResult.of("done").withArtifact(artifact);
        };
    String task = run(handler, "COMPLETED");

    JsonNode same = replayed(task, handler);
    content[0] = 1;
    JsonNode other = replayed(task, handler);

    assertThat(same.get("status").textValue()).as(failure(same)).isEqualTo("COMPLETED");
    assertThat(failure(other)).contains("replay_diverged", "step large");
  }

  @Test
  void progressWithinAComputationIsNotReportedAgain() {
    TaskHandler handler =
        context -> {
          context.progress("first");
          context.step(
              "llm:1",
              () -> {
                context.progress("computing");
                return Json.object();
              });
          context.progress("last");
          return TaskResult.of("done");
        };
    String task = run(handler, "COMPLETED");

    JsonNode replay = replayed(task, handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
  }

  @Test
  void aHandlerThatCompletesBeforeItEndsHasEndedThen() {
    TaskHandler handler =
        context -> {
          context.progress("at work");
          boolean ended = context.complete(TaskResult.of("done"));
          throw new IllegalStateException("ended: " + ended);
        };
    String task = run(handler, "COMPLETED");

    JsonNode replay = replayed(task, handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
  }

  @Test
  void attemptsThatAllFailAreReplayedByTheLastOne() {
    TaskHandler handler =
        context -> {
          context.event(
              "try:" + context.attempt(), "vendor.x", Json.object().put("n", context.attempt()));
          context.progress("attempt " + context.attempt());
          throw new IllegalStateException("the world is at " + System.nanoTime());
        };
    String task = run(handler, "FAILED");

    JsonNode replay = replayed(task, handler);

    assertThat(payload(replay, "replay.completed").get("final_state").textValue())
        .as(failure(replay))
        .isEqualTo("FAILED");
    assertThat(replay.at("/failure/code").textValue()).isEqualTo("attempts_exhausted");
  }

  @Test
  void anAnswerComesFromTheRecordAndNobodyIsAsked() {
    TaskHandler handler =
        context -> {
          context.progress("asking");
          String answer =
              context
                  .requestInput("ask", Question.of("Which colour?"))
                  .getParts(0)
                  .getText()
                  .getText();
          context.progress("got " + answer);
          return TaskResult.of(answer);
        };
    String task;
    try (Worker worker = worker(handler)) {
      worker.start();
      task = server.submit();
      await().atMost(PATIENCE).until(() -> server.status(task).equals("INPUT_REQUIRED"));
      var unused = server.client().post("/v1/tasks/" + task + "/messages", answer("red")).status();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
    }

    JsonNode replay = replayed(task, handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(server.eventsAsText(id(replay))).doesNotContain("input_required");
  }

  @Test
  void aCanceledTaskIsStoppedWhereItsRecordEnds() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicInteger stops = new AtomicInteger();
    TaskHandler handler =
        context -> {
          context.progress("at work");
          context.flush();
          reached.countDown();
          try {
            while (!context.cancelled()) {
              context.pause(Duration.ofMillis(20));
            }
          } finally {
            stops.incrementAndGet();
          }
          context.throwIfCancelled();
          return TaskResult.of("never");
        };
    String task;
    try (Worker worker = worker(handler)) {
      worker.start();
      task = server.submit();
      assertThat(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(server.client().post("/v1/tasks/" + task + "/cancel", Json.object()).status())
          .isEqualTo(200);
      assertThat(server.ended(task)).isEqualTo("CANCELED");
    }

    JsonNode replay = replayed(task, handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("CANCELED");
    assertThat(stops).as("the task and its replay").hasValue(2);
  }

  @Test
  void whatIsNotRecordedIsUnavailableByItsName() {
    TaskHandler reads = context -> TaskResult.of("said " + context.transcript(5).size());
    TaskHandler remembers =
        context -> TaskResult.of(context.sessionState().isPresent() ? "knows" : "is new");

    assertThat(failure(replayed(run(reads, "COMPLETED"), reads)))
        .contains("replay_unavailable", "host:transcript");
    assertThat(failure(replayed(run(remembers, "COMPLETED"), remembers)))
        .contains("replay_unavailable", "host:session_state");
  }

  @Test
  void aRedactedTaskIsNotExecuted() {
    TaskHandler handler =
        context -> TaskResult.of(context.step("llm:1", () -> Json.object().put("a", 1)).toString());
    String task = run(handler, "COMPLETED");
    var body = Json.object();
    body.putArray("items").addObject().put("object", "task").put("id", task);
    String redaction = id(server.client().post("/v1/redactions", body).json());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                server
                    .client()
                    .get("/v1/redactions/" + redaction)
                    .json()
                    .get("status")
                    .textValue()
                    .equals("done"));

    var refused =
        server
            .client()
            .post("/v1/tasks/" + task + "/replay", Json.object().put("depth", "execute"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("input was redacted");
  }

  @Test
  void anotherVersionOfTheHandlerDiffersByTheFirstStep() {
    String task =
        run(
            context -> {
              context.progress("counting");
              return TaskResult.of("done");
            },
            "COMPLETED");

    JsonNode replay =
        replayed(
            task,
            context -> {
              context.progress("counting words");
              context.step("llm:new", () -> Json.object());
              return TaskResult.of("done");
            });

    assertThat(failure(replay)).contains("replay_diverged", "step progress:1");
  }

  @Test
  void aWorkerThatStopsInAReplayLeavesItToTheNextOne() throws InterruptedException {
    TaskHandler handler =
        context -> {
          context.progress("at work");
          return TaskResult.of("done");
        };
    String task = run(handler, "COMPLETED");
    CountDownLatch begun = new CountDownLatch(1);
    String replay;
    try (Worker stopped =
        builder(
                context -> {
                  begun.countDown();
                  new CountDownLatch(1).await(); // Until the worker stops it.
                  return TaskResult.of("never");
                })
            .replays()
            .closeGrace(Duration.ZERO)
            .build()) {
      stopped.start();
      replay = accepted(task);
      assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    try (Worker next = builder(handler).replays().build()) {
      next.start();
      assertThat(server.ended(replay)).isEqualTo("COMPLETED");
    }
    assertThat(server.eventsAsText(replay)).contains("worker_stopped");
  }

  private static JsonNode answer(String text) {
    var message = Json.object().put("kind", "input");
    message
        .putObject("message")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("visibility", "public")
        .put("text", text);
    return message;
  }
}
