package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two processes over one store, and many exchanges at once: approvers, each with a credential of
 * its own, race each other, withdrawals and the artifact's time.
 */
@Tag("slow")
final class ManyExchangesTest extends TwoCores {
  private static final int EXCHANGES = 200;
  private static final int APPROVERS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  int approvers() {
    return APPROVERS;
  }

  /**
   * One exchange, and what its parties were told.
   *
   * @param id the request
   * @param deciders whose decisions were accepted
   * @param withdrawals one for each withdrawal that was accepted
   * @param delivered the decision, as a call that waits at each of the processes got it
   */
  private record Exchange(
      String id,
      ConcurrentLinkedQueue<String> deciders,
      ConcurrentLinkedQueue<Boolean> withdrawals,
      ConcurrentLinkedQueue<ByteString> delivered) {
    Exchange(String id) {
      this(
          id,
          new ConcurrentLinkedQueue<>(),
          new ConcurrentLinkedQueue<>(),
          new ConcurrentLinkedQueue<>());
    }
  }

  @Test
  void eachEndsInOneStateThatAllOfItsPartiesAreToldOf() {
    Random random = new Random(20261125);
    List<Exchange> exchanges =
        IntStream.range(0, EXCHANGES).mapToObj(i -> new Exchange("r" + i)).toList();
    List<CompletableFuture<Void>> racing = new ArrayList<>();
    for (Exchange exchange : exchanges) {
      boolean expires = random.nextInt(3) == 0;
      boolean withdrawn = random.nextInt(3) == 0;
      int deciders = random.nextInt(APPROVERS + 1);
      long delay = random.nextInt(40);
      long life = expires ? 5000 + random.nextInt(3000) : 600_000;
      racing.add(
          run(() -> submit(exchange, life))
              .thenCompose(
                  done ->
                      CompletableFuture.allOf(
                          decideAll(exchange, deciders, delay),
                          withdrawn || (deciders == 0 && !expires)
                              ? run(() -> withdraw(exchange))
                              : CompletableFuture.completedFuture(null))));
    }
    racing.forEach(CompletableFuture::join);

    for (Exchange exchange : exchanges) {
      await()
          .atMost(PATIENCE)
          .until(() -> !cores.get(0).state(exchange.id()).equals("pendingApproval"));
      assertLegal(exchange);
    }
    List<String> told = RelayClient.ids(cores.get(1).decisions("gate"));
    assertThat(told).doesNotHaveDuplicates();
    assertThat(told)
        .hasSize((int) exchanges.stream().filter(one -> !one.deciders().isEmpty()).count());
    for (int n = 0; n < APPROVERS; n++) {
      assertSeenBy(n, exchanges);
    }
    assertThat(exchanges.stream().map(one -> cores.get(0).state(one.id())).distinct())
        .as("the ends that were met")
        .contains("decided", "withdrawn", "expired");
  }

  private CompletableFuture<Void> run(Runnable work) {
    return CompletableFuture.runAsync(work, threads);
  }

  private void submit(Exchange exchange, long lifeMillis) {
    ByteString artifact = artifact("gate", exchange.id(), Instant.now().plusMillis(lifeMillis));
    cores.get(0).submit(artifact);
    try {
      cores.get(1).submit(artifact);
    } catch (StatusRuntimeException late) {
      assertThat(cores.get(1).state(exchange.id())).isEqualTo("expired");
    }
  }

  private CompletableFuture<Void> decideAll(Exchange exchange, int deciders, long delayMillis) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int n = 0; n < deciders; n++) {
      String approver = "approver-" + n;
      RelayClient core = asApprover(n % 2, n);
      all.add(
          CompletableFuture.runAsync(
              () -> decide(exchange, core, approver),
              CompletableFuture.delayedExecutor(delayMillis, TimeUnit.MILLISECONDS, threads)));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private static void decide(Exchange exchange, RelayClient core, String approver) {
    try {
      core.decide(decision(approver, exchange.id(), "nonce"));
      exchange.deciders().add(approver);
    } catch (StatusRuntimeException late) {
      assertThat(core.state(exchange.id())).isNotEqualTo("pendingApproval");
    }
  }

  private void withdraw(Exchange exchange) {
    try {
      cores.get(1).withdraw(exchange.id(), "enough");
      exchange.withdrawals().add(true);
    } catch (StatusRuntimeException late) {
      assertThat(cores.get(1).state(exchange.id())).isNotEqualTo("pendingApproval");
    }
  }

  private void assertLegal(Exchange exchange) {
    String state = cores.get(0).state(exchange.id());
    JsonNode status = cores.get(1).status(exchange.id());
    assertThat(cores.get(1).state(exchange.id())).as("the same at both").isEqualTo(state);
    assertThat(exchange.deciders()).as("who decided %s", exchange.id()).hasSizeLessThan(2);
    for (RelayClient core : cores) {
      exchange.delivered().add(core.await(exchange.id(), 30));
    }
    if (!exchange.deciders().isEmpty()) {
      assertThat(state).isEqualTo("decided");
      assertThat(exchange.withdrawals()).isEmpty();
      assertThat(status.path("decision").path("approverId").asText())
          .as("who decided, as the enforcer sees it")
          .isEqualTo(exchange.deciders().peek());
      assertThat(exchange.delivered()).doesNotContain(ByteString.EMPTY);
    } else {
      assertThat(state).isEqualTo(exchange.withdrawals().isEmpty() ? "expired" : "withdrawn");
      assertThat(exchange.delivered()).containsOnly(ByteString.EMPTY);
    }
  }

  /** Checks what an approver sees of all exchanges with its own credential, at both processes. */
  private void assertSeenBy(int number, List<Exchange> exchanges) {
    String name = "approver-" + number;
    for (int core = 0; core < cores.size(); core++) {
      RelayClient approver = asApprover(core, number);
      List<String> expired = new ArrayList<>();
      for (Exchange exchange : exchanges) {
        JsonNode seen = approver.status(exchange.id());
        assertThat(seen)
            .as("%s as %s sees it", exchange.id(), name)
            .isEqualTo(cores.get(core).status(exchange.id()));
        if (seen.path("state").asText().equals("expired")) {
          expired.add(exchange.id());
        }
      }
      assertThat(approver.requests(name)).as("what still waits for %s", name).isEmpty();
      assertThat(RelayClient.ids(approver.expired(name)))
          .as("what %s has not decided in time", name)
          .containsExactlyInAnyOrderElementsOf(expired);
    }
  }
}
