package dev.bridle.core.integrations.prompt;

import static dev.bridle.core.integrations.prompt.SamplePrompts.hashed;
import static dev.bridle.core.integrations.prompt.SamplePrompts.prompt;
import static dev.bridle.core.integrations.prompt.SamplePrompts.send;
import static dev.bridle.core.integrations.prompt.SamplePrompts.sendRaw;
import static dev.bridle.core.integrations.prompt.SamplePrompts.status;
import static dev.bridle.core.integrations.prompt.SamplePrompts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Prompts, from their arrival to a worker. */
final class PromptTest extends PromptedCore {
  @Test
  void aPromptBecomesAMessageOfTheUserInTheDefaultSessionOfItsRepository() {
    SamplePrompts.map(ada, session);

    JsonNode ack = send(ada, said("r1"));

    assertThat(status(ack)).isEqualTo("queued");
    Task task = tasks().get(0);
    assertThat(text(task)).isEqualTo("Please summarize the plan: r1");
    assertThat(task.getSessionId()).isEqualTo(session);
    assertThat(task.getCreatedBy()).isEqualTo("ada");
    assertThat(task.getMetadata().toStringUtf8()).contains("\"harp_request_id\":\"r1\"");
    assertThat(ack.at("/details/taskId").asText()).isEqualTo(task.getId());
    assertThat(ack.path("ackAt").asText()).isEqualTo("2026-11-21T10:00:25Z");
  }

  @Test
  void aRepeatIsAnsweredWithTheStatusOfItsTimeAndDeliveredOnce() {
    SamplePrompts.map(ada, session);
    JsonNode first = send(ada, said("r1"));
    assertThat(send(ada, said("r1"))).isEqualTo(first);

    try (TestWorker worker = new TestWorker(ada, "", "w1")) {
      worker.want(2);
      assertThat(text(worker.lease().getTask())).endsWith("r1");
      JsonNode delivered = send(ada, said("r1"));
      assertThat(status(delivered)).isEqualTo("delivered");
      assertThat(delivered.path("details")).isEqualTo(first.path("details"));
    }
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void repeatsAtOnceAreDeliveredOnce() {
    SamplePrompts.map(ada, session);
    List<CompletableFuture<JsonNode>> racing =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> send(ada, said("r1"))))
            .toList();

    assertThat(racing).allSatisfy(one -> assertThat(status(one.join())).isEqualTo("queued"));
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void aPromptWhoseTimeIsOverIsExpiredAndItsTaskCanceled() {
    SamplePrompts.map(ada, session);
    Instant soon = clock.instant().plusSeconds(30);
    assertThat(status(send(ada, until(said("late"), clock.instant())))).isEqualTo("expired");
    assertThat(tasks()).isEmpty();
    ObjectNode asked = until(said("asked"), soon);
    ObjectNode swept = until(said("swept"), soon);
    assertThat(status(send(ada, asked))).isEqualTo("queued");
    assertThat(status(send(ada, swept))).isEqualTo("queued");

    clock.pass(Duration.ofSeconds(30));

    assertThat(status(send(ada, asked))).isEqualTo("expired");
    await()
        .untilAsserted(
            () ->
                assertThat(tasks())
                    .extracting(Task::getStatus)
                    .containsOnly(TaskStatus.TASK_STATUS_CANCELED));
    assertThat(status(send(ada, swept))).isEqualTo("expired");
    assertThat(tasks()).hasSize(2);
  }

  @Test
  void aPromptThatAWorkerHasInTimeIsDeliveredAndStaysSo() {
    SamplePrompts.map(ada, session);
    ObjectNode prompt = until(said("r1"), clock.instant().plusSeconds(30));
    send(ada, prompt);
    try (TestWorker worker = new TestWorker(ada, "", "w1")) {
      worker.want(1);
      var unused = worker.lease();
      clock.pass(Duration.ofSeconds(30));
      assertThat(status(send(ada, prompt))).isEqualTo("delivered");
    }
  }

  @Test
  void aTaskThatEndsBeforeAWorkerHasItIsAnError() {
    SamplePrompts.map(ada, session);
    JsonNode ack = send(ada, said("r1"));
    var unused =
        TaskServiceGrpc.newBlockingStub(ada)
            .cancelTask(
                CancelTaskRequest.newBuilder()
                    .setTaskId(ack.at("/details/taskId").asText())
                    .build());

    assertThat(status(send(ada, said("r1")))).isEqualTo("error");
  }

  @Test
  void aPromptIsForgottenOnlyWhenItWouldNoLongerBeAccepted() {
    SamplePrompts.map(ada, session);
    ObjectNode prompt = said("r1");
    send(ada, prompt);
    clock.pass(PromptRules.MAX_AGE);
    assertThat(status(send(ada, prompt))).isEqualTo("queued");
    clock.pass(Duration.ofMinutes(5));

    await()
        .untilAsserted(
            () ->
                assertThat(send(ada, prompt).at("/details/reason").asText()).isEqualTo("too_old"));
    assertThat(status(send(ada, prompt))).isEqualTo("expired");
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void aPromptInAnEnvelopeIsAnsweredInOne() {
    SamplePrompts.map(ada, session);
    ObjectNode sent = envelope("prompt.send", "r1", hashed(said("r1")));

    JsonNode answer = sendRaw(ada, sent);

    assertThat(answer.path("msgType").asText()).isEqualTo("prompt.ack");
    assertThat(answer.path("requestId").asText()).isEqualTo("r1");
    assertThat(status(answer.path("body"))).isEqualTo("queued");
    assertThat(send(ada, said("r1"))).isEqualTo(answer.path("body"));
    ObjectNode over = envelope("prompt.send", "r2", hashed(said("r2")));
    over.put("expiresAt", clock.instant().toString());
    assertThat(status(sendRaw(ada, over).path("body"))).isEqualTo("expired");
  }

  @Test
  void promptsThatWaitForTheirTurnHideNoOtherSession() {
    SamplePrompts.map(ada, session);
    String other = session("default");
    while (TaskQueue.shardOf(other) != TaskQueue.shardOf(session)) {
      other = session("default");
    }
    LeaseHello.Builder hello = LeaseHello.newBuilder().setWorkerId("w1").setOneTaskPerSession(true);
    try (TestWorker worker = new TestWorker(ada, hello)) {
      worker.want(1);
      for (int i = 0; i < 40; i++) {
        send(ada, said("r" + i));
      }
      assertThat(worker.lease().getTask().getSessionId()).isEqualTo(session);

      send(ada, said("late").put("sessionId", other));
      worker.want(1);

      assertThat(worker.lease().getTask().getSessionId()).isEqualTo(other);
    }
  }

  @Test
  void tenPromptsReachAnAgentOfTheirSessionInOrder() {
    SamplePrompts.map(ada, session);
    List<String> sent = IntStream.range(0, 10).mapToObj(i -> "r" + i).toList();
    sent.forEach(request -> send(ada, said(request)));

    List<String> taken = new ArrayList<>();
    LeaseHello.Builder hello = LeaseHello.newBuilder().setWorkerId("w1").setOneTaskPerSession(true);
    try (TestWorker worker = new TestWorker(ada, hello)) {
      worker.want(sent.size());
      for (int i = 0; i < sent.size(); i++) {
        TaskLease lease = worker.lease();
        String words = text(lease.getTask());
        taken.add(words.substring(words.lastIndexOf(' ') + 1));
        var unused =
            WorkerServiceGrpc.newBlockingStub(ada)
                .completeTask(WorkerRequests.complete(lease).setSummary("done").build());
      }
    }
    assertThat(taken).isEqualTo(sent);
  }
}
