package dev.bridle.core.integrations.connector;

import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.list;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.CoreOver;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cores that share a store make each poll once. */
@Tag("slow")
class PollsOfSeveralCoresTest extends PolledConnectors {
  @Test
  void eachPollIsMadeByOneOfTwoProcessesAndEachItemIsOneTask() {
    try (CoreOver two = CoreOver.start(store, clock, PolledConnectors::patient)) {
      assertThat(two.core()).isNotNull();
      Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
      for (int polls = 1; polls <= 20; polls++) {
        server.answer(with(items(polls, polls + 1, polls + 2)));
        if (polls > 1) {
          clock.set(next(connector));
        }
        polled(connector, polls);
      }

      await().untilAsserted(() -> assertThat(texts()).hasSizeGreaterThanOrEqualTo(21));
      assertThat(texts()).doesNotHaveDuplicates();
      assertThat(server.received()).hasSize(20);
    }
  }

  @Test
  void aPollWhoseProcessDiedIsMadeByAnotherAndItsLateAnswerChangesNothing() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    server.answer(
        (request, out) -> {
          if (server.received().size() == 1) {
            late.await();
          }
          OddServer.write(out, SamplePolls.ok(items(1, 2), "ETag: \"a\""));
        });
    Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
    await().until(() -> server.received().size() == 1);
    assertThat(get(connector).getPolls().hasNextPollAt()).as("it is under way").isFalse();
    try (CoreOver two = CoreOver.start(store, clock, PolledConnectors::patient)) {
      assertThat(two.core()).isNotNull();
      clock.pass(MINUTE);
      polled(connector, 2);
      late.countDown();
      clock.pass(MINUTE);
      polled(connector, 3);
    }

    await().untilAsserted(() -> assertThat(texts()).containsExactlyInAnyOrder("Read 1", "Read 2"));
    assertThat(kinds(connector)).filteredOn("connector.delivery_received"::equals).hasSize(2);
  }
}
