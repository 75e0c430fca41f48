package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.integrations.webhook.Hooks;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.TestCore;
import dev.bridle.webhook.v1.Webhook;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks stay where they are: what is exported is told to nobody by another server. */
final class WebhookPortabilityTest {
  @TempDir Path directory;

  @Test
  void anExportLeavesWebhooksOutAndAnImportIsToldToNobody() throws Exception {
    try (OddServer server = OddServer.answering(OddServer.status(204));
        TestCore source = TestCore.start(directory.resolve("source"), Hooks::quick);
        TestCore target = TestCore.start(directory.resolve("target"), Hooks::quick)) {
      Hooks there = new Hooks(source.owner());
      Webhook webhook = there.made(Hooks.described(server, "task.submitted"));
      var exported = source.submit(source.newSession());
      assertThat(there.settled(webhook, 1).get(0).getTaskId()).isEqualTo(exported.getId());
      Hooks here = new Hooks(target.owner());
      Webhook ours = here.made(Hooks.described(server, "task.submitted"));

      Transfer.load(target, Transfer.tenant(source));

      assertThat(here.all()).containsExactly(ours);
      assertThat(target.task(exported.getId())).isNotNull();
      var fresh = target.submit(target.newSession());
      assertThat(here.settled(ours, 1).get(0).getTaskId())
          .as("what happens here is told, and what was imported is not")
          .isEqualTo(fresh.getId());
    }
  }
}
