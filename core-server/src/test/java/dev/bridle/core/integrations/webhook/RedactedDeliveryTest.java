package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.event.v1.Event;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receivers repeat in their answers what they were sent, and it goes from there, too. */
class RedactedDeliveryTest {
  private static final String MARKER = "MARKERa9d2";
  private static final String ECHO =
      "HTTP/1.1 200 OK\r\nContent-Length: "
          + MARKER.length()
          + "\r\nConnection: close\r\n\r\n"
          + MARKER;

  @TempDir Path directory;

  @Test
  void whatReceiversAnsweredIsErasedWithWhatTheyWereSent() throws Exception {
    try (OddServer server = OddServer.answering((in, out) -> OddServer.write(out, ECHO));
        TestCore core = TestCore.start(directory, Hooks::patient)) {
      Hooks hooks = new Hooks(core.owner());
      Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
      String task = canceled(core);
      assertThat(hooks.settled(webhook, 1).get(0).getAttempts(0).getAnswer()).contains(MARKER);

      redact(core, task);

      await().untilAsserted(() -> assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty());
      WebhookDelivery left = hooks.log(webhook).get(0);
      assertThat(left.getAttemptsList()).hasSize(1).noneMatch(WebhookAttempt::hasAnswer);
      assertThat(left.getAttempts(0).getStatus()).isEqualTo(200);
    }
  }

  @Test
  void anAnswerThatComesAfterTheRedactionIsNotStored() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch redacted = new CountDownLatch(1);
    try (OddServer server =
            OddServer.answering(
                (in, out) -> {
                  sent.countDown();
                  redacted.await();
                  OddServer.write(out, ECHO);
                });
        TestCore core = TestCore.start(directory, Hooks::patient)) {
      Hooks hooks = new Hooks(core.owner());
      Webhook webhook = hooks.made(Hooks.described(server, "task.submitted"));
      String task = canceled(core);
      sent.await();

      redact(core, task);
      redacted.countDown();

      WebhookDelivery settled = hooks.settled(webhook, 1).get(0);
      assertThat(settled.getAttempts(0).getStatus()).isEqualTo(200);
      assertThat(settled.getAttempts(0).hasAnswer()).isFalse();
    }
  }

  private static String canceled(TestCore core) {
    Task task = core.submit(core.newSession());
    var unused =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
    return task.getId();
  }

  private static void redact(TestCore core, String task) {
    for (Event event : core.eventsOf(task)) {
      assertThat(
              RedactedTask.redact(core.owner(), RedactedObject.REDACTED_OBJECT_EVENT, event.getId())
                  .getId())
          .isNotEmpty();
    }
  }
}
