package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.server.TestCore;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one store send for the same webhook. */
@Tag("slow")
class WebhooksOfSeveralCoresTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TASKS = 30;

  @TempDir Path directory;
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;
  private OddServer server;

  @BeforeEach
  void start() throws IOException {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, Clock.systemUTC(), WebhooksOfSeveralCoresTest::options);
    two = CoreOver.start(store, Clock.systemUTC(), WebhooksOfSeveralCoresTest::options);
    server = OddServer.answering(OddServer.status(204));
  }

  private static CoreOptions options(CoreOptions options) {
    CoreOptions quick = Hooks.quick(options);
    return quick.withWebhooks(
        quick.webhooks().withClaims(Duration.ofSeconds(3), Duration.ofMillis(20)));
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
    server.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void eachAttemptIsMadeByOneAndTheOrderOfEachTaskHolds() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        (request, out) ->
            OddServer.status(asked.incrementAndGet() % 5 == 0 ? 500 : 204).answer(request, out));
    Hooks hooks = new Hooks(one.of("default"));
    Webhook webhook = hooks.made(Hooks.described(server, "task.*"));
    List<Task> tasks = canceled();

    List<WebhookDelivery> log = hooks.settled(webhook, 2 * TASKS);

    assertThat(log)
        .extracting(WebhookDelivery::getStatus)
        .containsOnly(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
    Map<String, Integer> attempts = new HashMap<>();
    for (OddServer.Received received : server.received()) {
      attempts.merge(received.header("x-bridle-delivery"), 1, Integer::sum);
    }
    assertThat(log)
        .allSatisfy(
            delivery ->
                assertThat(attempts.get(delivery.getId()))
                    .as("attempts of %s", delivery.getId())
                    .isBetween(1, delivery.getFailures() + 1));
    inOrder(tasks);
  }

  @Test
  void whatOneLeftUnsentTheOtherSends() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        (request, out) -> {
          if (asked.getAndIncrement() < 4) {
            OddServer.hanging().answer(request, out);
          } else {
            OddServer.status(204).answer(request, out);
          }
        });
    Webhook webhook = new Hooks(one.of("default")).made(Hooks.described(server, "task.*"));
    List<Task> tasks = canceled();
    await().until(() -> asked.get() >= 4);

    one.close();

    List<WebhookDelivery> log = new Hooks(two.of("default")).settled(webhook, 2 * TASKS);
    assertThat(log)
        .extracting(WebhookDelivery::getStatus)
        .containsOnly(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
    inOrder(tasks);
  }

  private List<Task> canceled() {
    String session =
        SessionServiceGrpc.newBlockingStub(one.of("default"))
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      var here = TaskServiceGrpc.newBlockingStub((i % 2 == 0 ? one : two).of("default"));
      Task task = here.submitSessionTask(TestCore.submission(session));
      tasks.add(here.cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build()));
    }
    return tasks;
  }

  /** A task's later event comes after its earlier one was taken, so all of that one's attempts. */
  private void inOrder(List<Task> tasks) throws IOException {
    Map<String, List<String>> told = new HashMap<>();
    for (OddServer.Received received : server.received()) {
      JsonNode body = JSON.readTree(received.body());
      told.computeIfAbsent(body.at("/event/task_id").asText(), id -> new ArrayList<>())
          .add(body.at("/type").asText());
    }
    Set<String> ids = new HashSet<>();
    for (Task task : tasks) {
      ids.add(task.getId());
      assertThat(new ArrayList<>(new LinkedHashSet<>(told.get(task.getId()))))
          .containsExactly("task.submitted", "task.canceled");
      assertThat(told.get(task.getId())).isSortedAccordingTo(Comparator.reverseOrder());
    }
    assertThat(told.keySet()).isEqualTo(ids);
  }
}
