package dev.bridle.core.webhook;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.connector.SampleConnectors;
import dev.bridle.core.connector.Signing;
import dev.bridle.core.outbound.AddressRange;
import dev.bridle.core.outbound.OddServer;
import dev.bridle.core.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.DropWebhookDeliveryRequest;
import dev.bridle.webhook.v1.GetWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.PauseWebhookRequest;
import dev.bridle.webhook.v1.RedeliverWebhookDeliveryRequest;
import dev.bridle.webhook.v1.ResumeWebhookRequest;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookPreset;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.webhook.v1.WebhookServiceGrpc.WebhookServiceBlockingStub;
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
  private WebhookServiceBlockingStub webhooks;

  @BeforeEach
  void start() throws IOException {
    core = TestCore.start(directory, WebhookTest::quick);
    webhooks = WebhookServiceGrpc.newBlockingStub(core.owner());
    server = OddServer.answering(OddServer.status(204));
  }

  @AfterEach
  void stop() throws IOException {
    core.close();
    server.close();
  }

  private static CoreOptions quick(CoreOptions options) {
    return options
        .withOutbound(
            OutboundOptions.DEFAULT
                .withAllowed(List.of(AddressRange.parse("127.0.0.1")))
                .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2)))
        .withWebhooks(
            WebhookOptions.DEFAULT.withWaits(Duration.ofMillis(50), Duration.ofMillis(200)));
  }

  @Test
  void whatHappensToATaskArrivesWholeSignedAndInOrder() throws Exception {
    String vault = SampleConnectors.vault(core.owner());
    Webhook webhook =
        made(
            described(server, "task.*")
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
    List<WebhookDelivery> log = settled(webhook, 2);
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
    Webhook webhook = made(described(server, "task.*"));
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
    WebhookDelivery hard = settled(webhook, 2).get(1);
    WebhookDelivery first =
        hard.getEventKind().equals("task.submitted") ? hard : settled(webhook, 2).get(0);
    assertThat(first.getFailures()).isEqualTo(5);
    assertThat(first.getAttemptsList())
        .extracting(attempt -> attempt.getCode())
        .containsExactly("broken_answer", "broken_answer", "refused", "timed_out", "");
  }

  @Test
  void oneThatHangsHoldsUpNoOther() throws Exception {
    try (OddServer hanging = OddServer.answering(OddServer.hanging())) {
      Webhook slow = made(described(hanging, "task.submitted"));
      Webhook quick = made(described(server, "task.submitted"));
      for (int i = 0; i < 20; i++) {
        var unused = core.submit(core.newSession());
      }

      settled(quick, 20);

      assertThat(server.received()).hasSize(20);
      assertThat(hanging.received())
          .as("only so many are under way to one webhook")
          .hasSizeLessThanOrEqualTo(20);
      assertThat(log(slow))
          .extracting(WebhookDelivery::getStatus)
          .contains(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING);
    }
  }

  @Test
  void whoTakesNothingIsPausedAndToldOfAndMayBeResumed() {
    server.answer(OddServer.status(503));
    Webhook webhook = made(described(server, "task.submitted").setRetrySeconds(1));
    var unused = core.submit(core.newSession());

    await().until(() -> current(webhook).getStatus(), WebhookStatus.WEBHOOK_STATUS_FAILED::equals);

    WebhookDelivery dead = log(webhook).get(0);
    assertThat(dead.getStatus()).isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_FAILED);
    assertThat(dead.getAttempts(0).getStatus()).isEqualTo(503);
    assertThat(events("vendor.bridle.webhook_paused"))
        .singleElement()
        .satisfies(event -> assertThat(event.getResource().getId()).isEqualTo(webhook.getId()));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> test(webhook));

    server.answer(OddServer.status(200));
    assertThat(resume(webhook).getStatus()).isEqualTo(WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    var again =
        webhooks.redeliverWebhookDelivery(
            RedeliverWebhookDeliveryRequest.newBuilder()
                .setWebhookId(webhook.getId())
                .setDeliveryId(dead.getId())
                .build());
    assertThat(again.getStatus()).isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING);
    assertThat(settled(webhook, 1).get(0).getStatus())
        .isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
  }

  @Test
  void aPausedWebhookHearsOfWhatHappenedOnceItIsResumed() {
    Webhook webhook = made(described(server, "task.submitted"));
    pause(webhook);
    Task task = core.submit(core.newSession());
    Task other = core.submit(core.newSession());

    assertThat(resume(webhook).getStatus()).isEqualTo(WebhookStatus.WEBHOOK_STATUS_ACTIVE);

    assertThat(settled(webhook, 2))
        .extracting(WebhookDelivery::getTaskId)
        .containsExactlyInAnyOrder(task.getId(), other.getId());
  }

  @Test
  void whatWaitsIsSentAfterARestart() {
    server.answer(OddServer.status(500));
    Webhook webhook = made(described(server, "task.submitted"));
    Task task = core.submit(core.newSession());
    await().until(() -> !server.received().isEmpty());
    String key = core.key();
    core.close();

    server.answer(OddServer.status(200));
    core = TestCore.restart(directory, WebhookTest::quick, key);
    webhooks = WebhookServiceGrpc.newBlockingStub(core.owner());

    assertThat(settled(webhook, 1))
        .extracting(WebhookDelivery::getTaskId)
        .containsExactly(task.getId());
  }

  @Test
  void aTestTellsWhetherSomebodyIsThere() throws Exception {
    Webhook webhook = made(described(server, "task.submitted"));

    WebhookDelivery test = test(webhook);

    assertThat(settled(webhook, 1).get(0).getId()).isEqualTo(test.getId());
    JsonNode body = JSON.readTree(received(server, 1).get(0).body());
    assertThat(body.path("type").asText()).isEqualTo("vendor.bridle.webhook_test");
    assertThat(body.path("event").path("object").asText()).isEqualTo("event");
  }

  @Test
  void aPhoneShowsWhatNtfyIsToldAndSlackReadsNoMarks() throws Exception {
    Webhook ntfy =
        made(
            described(server, "x")
                .setUrl("http://127.0.0.1:" + server.port() + "/under/my-topic")
                .setPreset(WebhookPreset.WEBHOOK_PRESET_NTFY));
    var unused = test(ntfy);
    OddServer.Received notice = received(server, 1).get(0);
    assertThat(notice.head()).startsWith("POST /under/ HTTP/1.1");
    JsonNode told = JSON.readTree(notice.body());
    assertThat(told.path("topic").asText()).isEqualTo("my-topic");
    assertThat(told.path("title").asText()).isEqualTo("Bridle can reach you");

    Webhook slack = made(described(server, "x").setPreset(WebhookPreset.WEBHOOK_PRESET_SLACK));
    var unusedTest = test(slack);
    assertThat(JSON.readTree(received(server, 2).get(1).body()).path("text").asText())
        .startsWith("*Bridle can reach you*\n");
  }

  @Test
  void aDeliveryThatIsDroppedIsNotSentAnyMoreAndLetsTheNextGo() {
    server.answer(OddServer.status(500));
    Webhook webhook = made(described(server, "task.*"));
    var unused = canceled();
    await().until(() -> log(webhook).size() == 2 && !server.received().isEmpty());
    WebhookDelivery first =
        log(webhook).stream()
            .filter(one -> one.getEventKind().equals("task.submitted"))
            .findFirst()
            .orElseThrow();

    var dropped =
        webhooks.dropWebhookDelivery(
            DropWebhookDeliveryRequest.newBuilder()
                .setWebhookId(webhook.getId())
                .setDeliveryId(first.getId())
                .build());
    server.answer(OddServer.status(200));

    assertThat(dropped.getStatus())
        .isEqualTo(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED);
    assertThat(settled(webhook, 2))
        .extracting(WebhookDelivery::getStatus)
        .containsExactlyInAnyOrder(
            WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED,
            WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
  }

  @Test
  void aDeletedWebhookIsGoneWithItsDeliveries() {
    Webhook webhook = made(described(server, "task.submitted"));
    var unused = test(webhook);
    settled(webhook, 1);

    var deleted =
        webhooks.deleteWebhook(
            DeleteWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());

    assertThat(deleted.isInitialized()).isTrue();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> current(webhook));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> log(webhook));
  }

  @Test
  void aWebhookThatCanNotWorkIsNotMade() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () -> made(described(server, "x").setUrl("http://169.254.169.254/latest")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () -> made(described(server, "x").setUrl("https://me:secret@hooks.example/")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "url",
        () ->
            made(
                described(server, "x")
                    .setUrl("https://ntfy.example/")
                    .setPreset(WebhookPreset.WEBHOOK_PRESET_NTFY)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "task_statuses",
        () -> made(described(server, "x").addTaskStatuses(TaskStatus.TASK_STATUS_UNSPECIFIED)));
  }

  @Test
  void noEventTellsAUrl() {
    Webhook webhook = made(described(server, "x"));

    assertThat(events("vendor.bridle.webhook_created"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getResource().getId()).isEqualTo(webhook.getId());
              assertThat(event.getPayload().toStringUtf8()).doesNotContain("/hook");
            });
  }

  private static CreateWebhookRequest.Builder described(OddServer to, String kind) {
    return CreateWebhookRequest.newBuilder()
        .setWorkspaceId("default")
        .setUrl("http://127.0.0.1:" + to.port() + "/hook")
        .addEventKinds(kind);
  }

  private Webhook made(CreateWebhookRequest.Builder described) {
    return webhooks.createWebhook(described.build());
  }

  private Webhook current(Webhook webhook) {
    return webhooks.getWebhook(
        GetWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  private void pause(Webhook webhook) {
    var unused =
        webhooks.pauseWebhook(
            PauseWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  private Webhook resume(Webhook webhook) {
    return webhooks.resumeWebhook(
        ResumeWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  private WebhookDelivery test(Webhook webhook) {
    return webhooks.testWebhook(
        TestWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  private Task canceled() {
    Task task = core.submit(core.newSession());
    var unused =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
    return task;
  }

  private static List<OddServer.Received> received(OddServer from, int count) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(from.received()).hasSize(count));
    return from.received();
  }

  private List<WebhookDelivery> log(Webhook webhook) {
    return webhooks
        .listWebhookDeliveries(
            ListWebhookDeliveriesRequest.newBuilder()
                .setWebhookId(webhook.getId())
                .setLimit(200)
                .build())
        .getDataList();
  }

  private List<WebhookDelivery> settled(Webhook webhook, int count) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> log(webhook),
            log ->
                log.size() == count
                    && log.stream()
                        .noneMatch(
                            one ->
                                one.getStatus()
                                    == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING));
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
