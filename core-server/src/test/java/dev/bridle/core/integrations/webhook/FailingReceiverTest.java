package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.TestCore;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Order, retries, log and limits hold, in whichever way the other side fails. */
class FailingReceiverTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;
  private TestCore core;
  private Hooks hooks;
  private OddServer server;

  @BeforeEach
  void start() throws IOException {
    begin(TestCore.start(directory, Hooks::patient));
    server = OddServer.answering(OddServer.status(204));
  }

  private void restart(UnaryOperator<CoreOptions> change) {
    core.close();
    begin(TestCore.restart(directory, change, core.key()));
  }

  private void begin(TestCore started) {
    core = started;
    hooks = new Hooks(core.owner());
  }

  @AfterEach
  void stop() throws IOException {
    core.close();
    server.close();
  }

  /** How a receiver fails. */
  private enum Way {
    ERROR("refused") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return OddServer.status(500);
      }
    },
    HANGS("timed_out") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return OddServer.hanging();
      }
    },
    HANGS_UP("broken_answer") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return (request, out) -> {};
      }
    },
    BREAKS_OFF("broken_answer") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return (request, out) ->
            OddServer.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
      }
    },
    DRIPS("timed_out") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return OddServer.dripping();
      }
    },
    SPEAKS_NO_HTTP("broken_answer") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return (request, out) -> OddServer.write(out, "SSH-2.0-OpenSSH_9.9\r\n");
      }
    },
    REDIRECTS("refused") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return (request, out) ->
            OddServer.write(
                out,
                "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:"
                    + elsewhere.port()
                    + "/\r\nContent-Length: 0\r\n\r\n");
      }
    },
    TALKS_WITHOUT_END("refused") {
      @Override
      OddServer.Answerer answerer(OddServer elsewhere) {
        return (request, out) -> {
          OddServer.write(out, "HTTP/1.1 500 X\r\nContent-Length: 100000000\r\n\r\n");
          for (int i = 0; i < 1000; i++) {
            OddServer.write(out, "blah ".repeat(20_000));
          }
        };
      }
    };

    private final String code;

    Way(String code) {
      this.code = code;
    }

    abstract OddServer.Answerer answerer(OddServer elsewhere);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void whoFailsTwiceIsToldAllInOrderAndHoldsUpNobodyElse(Way way) throws Exception {
    if (way.code.equals("timed_out")) {
      restart(Hooks::quick);
    }
    try (OddServer elsewhere = OddServer.answering(OddServer.status(204));
        OddServer sound = OddServer.answering(OddServer.status(204))) {
      AtomicInteger asked = new AtomicInteger();
      OddServer.Answerer failing = way.answerer(elsewhere);
      server.answer(
          (request, out) ->
              (asked.getAndIncrement() < 2 ? failing : OddServer.status(204)).answer(request, out));
      Webhook webhook = hooks.made(Hooks.described(server, "task.*"));
      Webhook other = hooks.made(Hooks.described(sound, "task.*"));
      cancel(core.submit(core.newSession()));

      List<WebhookDelivery> log = hooks.settled(webhook, 2);

      assertThat(types(server))
          .containsExactly("task.submitted", "task.submitted", "task.submitted", "task.canceled");
      assertThat(log)
          .extracting(WebhookDelivery::getStatus)
          .containsOnly(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
      WebhookDelivery first = of("task.submitted", log);
      assertThat(first.getFailures()).isEqualTo(2);
      assertThat(first.getAttemptsList())
          .extracting(WebhookAttempt::getCode)
          .containsExactly(way.code, way.code, "");
      assertThat(first.getAttemptsList())
          .allSatisfy(attempt -> assertThat(attempt.getAnswer().length()).isLessThan(501));
      assertThat(server.received().stream().limit(3).map(one -> one.header("x-bridle-delivery")))
          .as("a delivery keeps its id")
          .containsOnly(first.getId());
      assertThat(elsewhere.received()).as("redirects are not followed").isEmpty();
      assertThat(hooks.settled(other, 2)).extracting(WebhookDelivery::getFailures).containsOnly(0);
    }
  }

  @Test
  void whereNobodyListensItIsSentOnceSomebodyDoes() throws Exception {
    Webhook webhook = hooks.made(Hooks.described(server, "task.*"));
    int port = server.port();
    server.close();
    cancel(core.submit(core.newSession()));
    await()
        .atMost(LONG)
        .until(() -> hooks.log(webhook).stream().anyMatch(one -> one.getFailures() > 1));

    server = OddServer.answering(port, OddServer.status(204));

    List<WebhookDelivery> log = hooks.settled(webhook, 2);
    assertThat(types(server)).containsExactly("task.submitted", "task.canceled");
    assertThat(of("task.submitted", log).getAttempts(0).getCode()).isEqualTo("connection_failed");
  }

  @Test
  void aNameThatLeadsElsewhereAMomentLaterIsLookedUpOnceForEachAttempt() throws Exception {
    List<String> leadsTo = List.of("127.0.0.1", "127.0.0.9", "169.254.169.254", "127.0.0.1");
    AtomicInteger lookups = new AtomicInteger();
    restart(
        options ->
            Hooks.patient(options)
                .withOutbound(
                    OutboundOptions.DEFAULT
                        .withAllowed(List.of(AddressRange.parse("127.0.0.1")))
                        .withNames(
                            host -> {
                              int n = Math.min(lookups.getAndIncrement(), leadsTo.size() - 1);
                              return List.of(InetAddress.getByName(leadsTo.get(n)));
                            })));
    Webhook webhook =
        hooks.made(
            Hooks.described(server, "x").setUrl("http://hooks.example:" + server.port() + "/"));

    var before = hooks.test(webhook);
    assertThat(hooks.settled(webhook, 1).get(0).getFailures()).isZero();
    assertThat(lookups).as("one look-up for one attempt").hasValue(1);
    var after = hooks.test(webhook);

    WebhookDelivery hard =
        hooks.settled(webhook, 2).stream()
            .filter(one -> one.getId().equals(after.getId()))
            .findFirst()
            .orElseThrow();
    assertThat(hard.getAttemptsList())
        .extracting(WebhookAttempt::getCode)
        .containsExactly("refused_address", "refused_address", "");
    assertThat(lookups).hasValue(4);
    assertThat(server.received().stream().map(one -> one.header("x-bridle-delivery")))
        .containsExactly(before.getId(), after.getId());
  }

  @Test
  void theLogIsBoundedAndTellsNoSecretThatAnAnswerRepeats() {
    String vault = SampleConnectors.vault(core.owner());
    String token = "T024BE7LD/B0GUS-t0ken";
    String answer =
        "Can't POST /services/" + token + " as " + SampleConnectors.SECRET + "! " + "a".repeat(999);
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        (request, out) -> {
          if (asked.getAndIncrement() < 7) {
            OddServer.write(
                out, "HTTP/1.1 404 X\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer);
          } else {
            OddServer.status(204).answer(request, out);
          }
        });
    Webhook webhook =
        hooks.made(
            Hooks.described(server, "x")
                .setUrl("http://127.0.0.1:" + server.port() + "/services/" + token)
                .setSecret(SecretName.newBuilder().setVaultId(vault).setName("hook")));
    var unused = hooks.test(webhook);

    WebhookDelivery log = hooks.settled(webhook, 1).get(0);

    assertThat(log.getFailures()).isEqualTo(7);
    assertThat(log.getAttemptsList()).hasSize(5);
    assertThat(log.getAttemptsList().subList(0, 4))
        .allSatisfy(
            attempt -> {
              assertThat(attempt.getStatus()).isEqualTo(404);
              assertThat(attempt.getAnswer()).startsWith("Can't POST [hidden] as [hidden]!");
              assertThat(attempt.getAnswer()).hasSize(500);
            });
    assertThat(log.toString()).doesNotContain("t0ken", "T024BE7LD", SampleConnectors.SECRET);
  }

  @Test
  void onlySoManyAreUnderWayToOneWebhook() {
    int slots = WebhookOptions.DEFAULT.slots();
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    server.answer(
        (request, out) -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          gate.await();
          underWay.decrementAndGet();
          OddServer.status(204).answer(request, out);
        });
    Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
    String session = core.newSession();
    for (int i = 0; i < 6 * slots; i++) {
      var unused = core.submit(session);
    }

    await()
        .atMost(LONG)
        .during(Duration.ofMillis(300))
        .untilAsserted(() -> assertThat(underWay).hasValue(slots));
    gate.countDown();

    hooks.settled(webhook, 6 * slots);
    assertThat(most).hasValue(slots);
  }

  @Test
  void whoAsksForTimeIsGivenIt() {
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        (request, out) -> {
          if (asked.getAndIncrement() == 0) {
            OddServer.write(out, "HTTP/1.1 429 X\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n");
          } else {
            OddServer.status(204).answer(request, out);
          }
        });
    Webhook webhook = hooks.made(Hooks.described(server, "x"));
    var unused = hooks.test(webhook);

    List<WebhookAttempt> attempts = hooks.settled(webhook, 1).get(0).getAttemptsList();

    assertThat(attempts.get(1).getAt().getSeconds() - attempts.get(0).getAt().getSeconds())
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void whoTakesSomeIsNotPausedByWhatItDoesNotTake() {
    server.answer(
        (request, out) ->
            OddServer.status(request.body().contains("task.canceled") ? 500 : 204)
                .answer(request, out));
    Webhook webhook = hooks.made(Hooks.described(server, "task.*").setRetrySeconds(1));
    String session = core.newSession();
    cancel(core.submit(session));
    await()
        .atMost(LONG)
        .until(
            () -> {
              var unused = core.submit(session);
              return hooks.log(webhook).stream()
                  .anyMatch(
                      one ->
                          one.getStatus() == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_FAILED);
            });

    assertThat(hooks.current(webhook).getStatus()).isEqualTo(WebhookStatus.WEBHOOK_STATUS_ACTIVE);
  }

  private void cancel(Task task) {
    var unused =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
  }

  private static WebhookDelivery of(String kind, List<WebhookDelivery> log) {
    return log.stream().filter(one -> one.getEventKind().equals(kind)).findFirst().orElseThrow();
  }

  private static List<String> types(OddServer from) throws IOException {
    List<String> types = new ArrayList<>();
    for (OddServer.Received one : from.received()) {
      types.add(JSON.readTree(one.body()).path("type").asText());
    }
    return types;
  }
}
