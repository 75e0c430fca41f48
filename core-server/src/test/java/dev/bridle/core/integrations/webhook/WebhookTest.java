package dev.bridle.core.integrations.webhook;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.connector.Signing;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookPreset;
import dev.bridle.webhook.v1.WebhookStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SCRIPT = Path.of("..", "fixtures", "scripts", "VerifyWebhook.java");

  @TempDir Path directory;
  private TestCore core;
  private OddServer server;
  private Hooks hooks;

  @BeforeEach
  void start() throws IOException {
    core = TestCore.start(directory, Hooks::quick);
    hooks = new Hooks(core.owner());
    server = OddServer.answering(OddServer.status(204));
  }

  @AfterEach
  void stop() throws IOException {
    core.close();
    server.close();
  }

  @Test
  void whatHappensToATaskArrivesWholeSignedAndInOrder() throws Exception {
    String vault = SampleConnectors.vault(core.owner());
    Webhook webhook =
        hooks.made(
            Hooks.described(server, "task.*")
                .setSecret(SecretName.newBuilder().setVaultId(vault).setName("hook")));
    Task task = canceled();

    List<OddServer.Received> received = received(server, 2);

    JsonNode first = JSON.readTree(received.get(0).body());
    JsonNode last = JSON.readTree(received.get(1).body());
    assertThat(first.path("type").asText()).isEqualTo("task.submitted");
    assertThat(first.path("event").path("object").asText()).isEqualTo("event");
    assertThat(first.path("event").path("task_id").asText()).isEqualTo(task.getId());
    assertThat(first.path("task").path("id").asText()).isEqualTo(task.getId());
    assertThat(first.path("task").path("input").path("n").asInt()).isEqualTo(1);
    assertThat(last.path("type").asText()).isEqualTo("task.canceled");
    assertThat(last.path("task").path("status").asText()).isEqualTo("CANCELED");
    for (OddServer.Received one : received) {
      String header = one.header("x-harn-signature");
      String time = header.substring(2, header.indexOf(','));
      assertThat(header)
          .isEqualTo(
              "t=" + time + ",v1=" + Signing.hex(SampleConnectors.SECRET, time + "." + one.body()));
      assertThat(verified(header, one.body())).isEqualTo("verified");
    }
    assertThat(verified(received.get(0).header("x-harn-signature"), received.get(1).body()))
        .isEqualTo("the signature is another's");
    List<WebhookDelivery> log = hooks.settled(webhook, 2);
    assertThat(log)
        .extracting(WebhookDelivery::getStatus)
        .containsOnly(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
    assertThat(log)
        .extracting(WebhookDelivery::getId)
        .containsExactlyInAnyOrderElementsOf(
            received.stream().map(one -> one.header("x-bridle-delivery")).toList());
    assertThat(log.toString()).doesNotContain(SampleConnectors.SECRET);
  }

  private static String verified(String header, String body) throws Exception {
    Process script =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SCRIPT.toString(),
                header,
                SampleConnectors.SECRET,
                Long.toString(System.currentTimeMillis() / 1000),
                "300")
            .redirectErrorStream(true)
            .start();
    try (var in = script.getOutputStream()) {
      in.write(body.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    script.waitFor();
    return said.strip();
  }

  @Test
  void whatIsNotTakenIsSentAgainAndHoldsUpWhatComesAfterItOfItsTask() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        (request, out) -> {
          switch (asked.getAndIncrement()) {
            case 0 -> OddServer.status(500).answer(request, out);
            case 1 -> {} // It hangs up.
            case 2 -> OddServer.write(out, "HTTP/1.1 200 OK\r\nContent-Le");
            case 3 ->
                OddServer.write(
                    out,
                    "HTTP/1.1 302 X\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n");
            case 4 -> OddServer.hanging().answer(request, out);
            default -> OddServer.status(200).answer(request, out);
          }
        });
    Webhook webhook = hooks.made(Hooks.described(server, "task.*"));
    var unused = canceled();

    List<OddServer.Received> received = received(server, 7);

    List<String> types = new ArrayList<>();
    for (OddServer.Received one : received) {
      types.add(JSON.readTree(one.body()).path("type").asText());
    }
    assertThat(types.subList(0, 6)).containsOnly("task.submitted");
    assertThat(types.get(6)).isEqualTo("task.canceled");
    assertThat(received.subList(0, 6).stream().map(one -> one.header("x-bridle-delivery")))
        .as("a delivery keeps its id")
        .containsOnly(received.get(0).header("x-bridle-delivery"));
    WebhookDelivery hard = hooks.settled(webhook, 2).get(1);
    WebhookDelivery first =
        hard.getEventKind().equals("task.submitted") ? hard : hooks.settled(webhook, 2).get(0);
    assertThat(first.getFailures()).isEqualTo(5);
    assertThat(first.getAttemptsList())
        .extracting(attempt -> attempt.getCode())
        .containsExactly("broken_answer", "broken_answer", "refused", "timed_out", "");
  }

  @Test
  void oneThatHangsHoldsUpNoOther() throws Exception {
    try (OddServer hanging = OddServer.answering(OddServer.hanging())) {
      Webhook slow = hooks.made(Hooks.described(hanging, "task.submitted"));
      Webhook quick = hooks.made(Hooks.described(server, "task.submitted"));
      for (int i = 0; i < 20; i++) {
        var unused = core.submit(core.newSession());
      }

      hooks.settled(quick, 20);

      assertThat(server.received()).hasSize(20);
      assertThat(hanging.received())
          .as("only so many are under way to one webhook")
          .hasSizeLessThanOrEqualTo(20);
      assertThat(hooks.log(slow))
          .extracting(WebhookDelivery::getStatus)
          .contains(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING);
    }
  }

  @Test
  void whoTakesNothingIsPausedAndToldOfAndMayBeResumed() {
    server.answer(OddServer.status(503));
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted").setRetrySeconds(1));
    var unused = core.submit(core.newSession());

    await()
        .until(
            () -> hooks.current(webhook).getStatus(), WebhookStatus.WEBHOOK_STATUS_FAILED::equals);

    WebhookDelivery dead = hooks.log(webhook).get(0);
    assertThat(dead.getStatus()).isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_FAILED);
    assertThat(dead.getAttempts(0).getStatus()).isEqualTo(503);
    assertThat(events("vendor.bridle.webhook_paused"))
        .singleElement()
        .satisfies(event -> assertThat(event.getResource().getId()).isEqualTo(webhook.getId()));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> hooks.test(webhook));

    server.answer(OddServer.status(200));
    assertThat(hooks.resume(webhook).getStatus()).isEqualTo(WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    var again = hooks.redeliver(dead);
    assertThat(again.getStatus()).isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING);
    assertThat(hooks.settled(webhook, 1).get(0).getStatus())
        .isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
  }

  @Test
  void aPausedWebhookHearsOfWhatHappenedOnceItIsResumed() {
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
    hooks.pause(webhook);
    Task task = core.submit(core.newSession());
    Task other = core.submit(core.newSession());

    assertThat(hooks.resume(webhook).getStatus()).isEqualTo(WebhookStatus.WEBHOOK_STATUS_ACTIVE);

    assertThat(hooks.settled(webhook, 2))
        .extracting(WebhookDelivery::getTaskId)
        .containsExactlyInAnyOrder(task.getId(), other.getId());
  }

  @Test
  void whatWaitsIsSentAfterARestart() {
    server.answer(OddServer.status(500));
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
    Task task = core.submit(core.newSession());
    await().until(() -> !server.received().isEmpty());
    String key = core.key();
    core.close();

    server.answer(OddServer.status(200));
    core = TestCore.restart(directory, Hooks::quick, key);
    hooks = new Hooks(core.owner());

    assertThat(hooks.settled(webhook, 1))
        .extracting(WebhookDelivery::getTaskId)
        .containsExactly(task.getId());
  }

  @Test
  void aTestTellsWhetherSomebodyIsThere() throws Exception {
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));

    WebhookDelivery test = hooks.test(webhook);

    assertThat(hooks.settled(webhook, 1).get(0).getId()).isEqualTo(test.getId());
    JsonNode body = JSON.readTree(received(server, 1).get(0).body());
    assertThat(body.path("type").asText()).isEqualTo("vendor.bridle.webhook_test");
    assertThat(body.path("event").path("object").asText()).isEqualTo("event");
  }

  @Test
  void aPhoneShowsWhatNtfyIsToldAndSlackReadsNoMarks() throws Exception {
    Webhook ntfy =
        hooks.made(
            Hooks.described(server, "x")
                .setUrl("http://127.0.0.1:" + server.port() + "/under/my-topic")
                .setPreset(WebhookPreset.WEBHOOK_PRESET_NTFY));
    var unused = hooks.test(ntfy);
    OddServer.Received notice = received(server, 1).get(0);
    assertThat(notice.head()).startsWith("POST /under/ HTTP/1.1");
    JsonNode told = JSON.readTree(notice.body());
    assertThat(told.path("topic").asText()).isEqualTo("my-topic");
    assertThat(told.path("title").asText()).isEqualTo("Bridle can reach you");

    Webhook slack =
        hooks.made(Hooks.described(server, "x").setPreset(WebhookPreset.WEBHOOK_PRESET_SLACK));
    var unusedTest = hooks.test(slack);
    assertThat(JSON.readTree(received(server, 2).get(1).body()).path("text").asText())
        .startsWith("*Bridle can reach you*\n");
  }

  @Test
  void aDeliveryThatIsDroppedIsNotSentAnyMoreAndLetsTheNextGo() {
    server.answer(OddServer.status(500));
    Webhook webhook = hooks.made(Hooks.described(server, "task.*"));
    var unused = canceled();
    await().until(() -> hooks.log(webhook).size() == 2 && !server.received().isEmpty());
    WebhookDelivery first =
        hooks.log(webhook).stream()
            .filter(one -> one.getEventKind().equals("task.submitted"))
            .findFirst()
            .orElseThrow();

    var dropped = hooks.drop(first);
    server.answer(OddServer.status(200));

    assertThat(dropped.getStatus())
        .isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED);
    assertThat(hooks.settled(webhook, 2))
        .extracting(WebhookDelivery::getStatus)
        .containsExactlyInAnyOrder(
            WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED,
            WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
  }

  @Test
  void aDeletedWebhookIsGoneWithItsDeliveries() {
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
    var unused = hooks.test(webhook);
    hooks.settled(webhook, 1);

    hooks.delete(webhook);

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> hooks.current(webhook));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> hooks.log(webhook));
  }

  @Test
  void aWebhookThatCanNotWorkIsNotMade() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () -> hooks.made(Hooks.described(server, "x").setUrl("http://169.254.169.254/latest")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () -> hooks.made(Hooks.described(server, "x").setUrl("https://me:secret@hooks.example/")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () ->
            hooks.made(
                Hooks.described(server, "x")
                    .setUrl("https://ntfy.example/")
                    .setPreset(WebhookPreset.WEBHOOK_PRESET_NTFY)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "task_statuses",
        () ->
            hooks.made(
                Hooks.described(server, "x").addTaskStatuses(TaskStatus.TASK_STATUS_UNSPECIFIED)));
  }

  @Test
  void noEventTellsAUrl() {
    Webhook webhook = hooks.made(Hooks.described(server, "x"));

    assertThat(events("vendor.bridle.webhook_created"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getResource().getId()).isEqualTo(webhook.getId());
              assertThat(event.getPayload().toStringUtf8()).doesNotContain("/hook");
            });
  }

  private Task canceled() {
    Task task = core.submit(core.newSession());
    var unused =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
    return task;
  }

  private static List<OddServer.Received> received(OddServer from, int count) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(from.received()).hasSize(count));
    return from.received();
  }

  private List<Event> events(String kind) {
    return core
        .events()
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList()
        .stream()
        .filter(event -> event.getEvent().equals(kind))
        .toList();
  }
}
