package dev.bridle.core.integrations.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.CoreOver;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.OperationKind;
import dev.bridle.webhook.v1.Webhook;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watches that webhooks keep of a tenant's events, which all of a process share. */
final class WebhookWatchesTest {
  private static final int MOST = 100;

  @TempDir Path directory;

  @Test
  void readsOfAFeedWithoutNewEventsGatherNoWatches() throws IOException {
    AtomicInteger watches = new AtomicInteger();
    FaultPlan counting =
        operation -> {
          if (operation.kind() == OperationKind.WATCH) {
            watches.incrementAndGet();
          }
          return Fault.NONE;
        };
    try (KeyValueStore real =
            EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT.withMaxWatches(MOST));
        CoreOver core =
            CoreOver.start(new FaultyStore(real, counting), Clock.systemUTC(), Hooks::quick);
        OddServer server = OddServer.answering(OddServer.status(204))) {
      Hooks hooks = new Hooks(core.of("default"));
      Webhook webhook = hooks.made(Hooks.described(server, "task.completed"));
      while (watches.get() < 5 * MOST) {
        int before = watches.get();
        hooks.pause(webhook);
        hooks.resume(webhook);
        await().until(() -> watches.get() > before);
      }

      CompletableFuture<Void> another =
          real.transact(tr -> tr.watch("a key of nobody".getBytes(UTF_8)));
      assertThat(another).isNotDone();
    }
  }
}
