package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.Refusal;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two processes over one store relay for the same parties. */
final class RelayOfSeveralCoresTest extends TwoCores {
  private static final int REQUESTS = 20;
  private static final int RACERS = 4;

  @Override
  int approvers() {
    return RACERS;
  }

  private static Instant soon() {
    return Instant.now().plusSeconds(600);
  }

  @Test
  void ofSeveralDecisionsAtOnceExactlyOneWinsAndIsDeliveredOnce() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      String request = "r" + i;
      cores.get(i % 2).submit(artifact("gate", request, soon()));
      CyclicBarrier together = new CyclicBarrier(RACERS);
      List<Future<Boolean>> races =
          IntStream.range(0, RACERS)
              .mapToObj(
                  n ->
                      threads.submit(
                          () -> {
                            together.await();
                            return won(asApprover(n % 2, n), "approver-" + n, request);
                          }))
              .toList();
      List<Integer> winners = new ArrayList<>();
      for (int n = 0; n < RACERS; n++) {
        if (races.get(n).get()) {
          winners.add(n);
        }
      }

      assertThat(winners).as("who has decided %s", request).hasSize(1);
      JsonNode outcome = cores.get(1).status(request).path("decision");
      assertThat(outcome.path("approverId").asText()).isEqualTo("approver-" + winners.get(0));
    }

    List<JsonNode> delivered = cores.get(0).decisions("gate");
    assertThat(RelayClient.ids(delivered)).hasSize(REQUESTS).doesNotHaveDuplicates();
    for (int n = 0; n < RACERS; n++) {
      assertThat(asApprover(1, n).requests("approver-" + n)).isEmpty();
    }
  }

  private static boolean won(RelayClient core, String approver, String request) {
    try {
      var unused = core.decide(decision(approver, request, "nonce"));
      return true;
    } catch (StatusRuntimeException e) {
      assertThat(Refusal.of(() -> core.decide(decision(approver, request, "nonce"))))
          .extracting(refusal -> refusal.getDetails().toStringUtf8())
          .asString()
          .contains("AlreadyDecidedConflict");
      return false;
    }
  }

  @Test
  void oneArtifactThatIsSubmittedToBothAtOnceOpensOneExchange() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      ByteString artifact = artifact("gate", "r" + i, soon());
      CyclicBarrier together = new CyclicBarrier(2);
      List<Future<JsonNode>> races =
          cores.stream()
              .map(
                  core ->
                      threads.submit(
                          () -> {
                            together.await();
                            return core.submit(artifact);
                          }))
              .toList();
      for (Future<JsonNode> race : races) {
        assertThat(race.get().path("msgType").asText()).isEqualTo("artifact.accepted");
      }
    }

    assertThat(RelayClient.ids(asApprover(0, 0).requests("approver-0")))
        .hasSize(REQUESTS)
        .doesNotHaveDuplicates();
  }

  @Test
  void aCallThatWaitsAtOneProcessIsAnsweredByADecisionAtTheOther() {
    cores.get(0).submit(artifact("gate", "r1", soon()));
    CompletableFuture<ByteString> waiting =
        CompletableFuture.supplyAsync(() -> cores.get(0).await("r1", 60), threads);
    CompletableFuture<ByteString> another =
        CompletableFuture.supplyAsync(() -> cores.get(1).await("r1", 60), threads);
    asApprover(1, 0).decide(decision("approver-0", "r1", "n1"));

    await().until(() -> waiting.isDone() && another.isDone());
    JsonNode delivered = SampleEnvelopes.json(waiting.join());
    assertThat(delivered.path("body").path("decision").asText()).isEqualTo("approve");
    assertThat(delivered).isEqualTo(cores.get(0).decisions("gate").get(0));
    assertThat(another.join()).isEqualTo(waiting.join());
  }

  @Test
  void aCallThatWaitsEndsWithTheExchangeOrWithItsTime() {
    cores.get(0).submit(artifact("gate", "r1", soon()));
    cores.get(0).submit(artifact("gate", "r2", soon()));
    CompletableFuture<ByteString> waiting =
        CompletableFuture.supplyAsync(() -> cores.get(0).await("r1", 60), threads);
    cores.get(1).withdraw("r1", "");

    await().until(waiting::isDone);
    assertThat(waiting.join()).isEqualTo(ByteString.EMPTY);
    assertThat(cores.get(0).await("r2", 1)).isEqualTo(ByteString.EMPTY);
    assertThat(cores.get(0).await("r1", 60)).isEqualTo(ByteString.EMPTY);
  }
}
