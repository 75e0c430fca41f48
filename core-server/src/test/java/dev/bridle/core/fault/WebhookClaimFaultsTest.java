package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.AtStep;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.Recording;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Deliveries of webhooks whose claim is attempted again, since its outcome was unknown. */
@ExtendWith(QuietLog.class)
final class WebhookClaimFaultsTest {
  private static final String FIRST = "first test";
  private static final String SECOND = "second test";
  private static final Set<String> TESTS = Set.of(FIRST, SECOND);
  private static final String CLAIM = "claim";

  @TempDir static Path directory;
  private static Scenes scenes;
  private static int runs;

  @BeforeAll
  static void open() {
    scenes = new Scenes(directory.resolve("scenes"));
  }

  @AfterAll
  static void close() {
    scenes.close();
  }

  @TestFactory
  Stream<DynamicTest> aDeliveryIsSentOnceWithoutWaitingForItsClaimToExpire() {
    Recording recording = new Recording();
    assertThat(scenes.play(recording, WebhookClaimFaultsTest::twoTests)).as("faults").isZero();
    return recording.operations().stream()
        .filter(step -> step.writes() && TESTS.contains(step.during()))
        .flatMap(WebhookClaimFaultsTest::retried)
        .map(plan -> DynamicTest.dynamicTest(plan.toString(), () -> isSentOnceUnder(plan)));
  }

  private static void isSentOnceUnder(FaultPlan plan) {
    assertThat(scenes.play(plan, WebhookClaimFaultsTest::twoTests)).as("faults").isEqualTo(1);
  }

  private static void twoTests(World world) {
    String webhook = WebhookSteps.tellOutside(world, "key-1").getId();
    String first = WebhookSteps.test(world, webhook, FIRST).getId();
    String second = WebhookSteps.test(world, webhook, SECOND).getId();
    assertThat(world.outside().told()).containsExactly(first, second);
    WebhookSteps.tellNoMore(world, webhook, "key-2");
    world.leaseTimePasses();
  }

  private static Stream<FaultPlan> retried(Operation step) {
    return Stream.of(
            Fault.UNKNOWN_BUT_APPLIED,
            Fault.UNKNOWN_AND_LOST,
            Fault.CLUSTER_CHANGED_BUT_APPLIED,
            Fault.CLUSTER_CHANGED_AND_LOST)
        .map(fault -> new AtStep(step, fault));
  }

  @TestFactory
  Stream<DynamicTest> aClaimThatReleasesThoseOfAPreviousProcessSendsADeliveryOnce() {
    Recording recording = new Recording();
    assertThat(sentAfterARestart(recording)).hasSize(1);
    return recording.operations().stream()
        .filter(step -> step.writes() && step.during().equals(CLAIM))
        .flatMap(WebhookClaimFaultsTest::retried)
        .map(
            plan ->
                DynamicTest.dynamicTest(
                    plan.toString(), () -> assertThat(sentAfterARestart(plan)).hasSize(1)));
  }

  /** Returns what a process under a plan sends of what a previous one left unsent. */
  private static List<String> sentAfterARestart(FaultPlan plan) {
    SetTime time = new SetTime();
    Outside outside = new Outside();
    try (KeyValueStore store = SuiteStore.openSteady(directory.resolve("run-" + runs++))) {
      try (SteppedCore core = new SteppedCore(store, time, time::nanos, new Random(1), outside)) {
        String webhook = webhook(core);
        core.drain();
        test(core, webhook);
      }
      assertThat(outside.told()).isEmpty();
      FaultyStore faulty = new FaultyStore(store, plan);
      try (SteppedCore core = new SteppedCore(faulty, time, time::nanos, new Random(2), outside)) {
        faulty.during(CLAIM);
        core.tick();
      }
    }
    return outside.told();
  }

  @Test
  void whatAnotherProcessHasClaimedSinceALostAttemptIsNotSentTwice() {
    SetTime time = new SetTime();
    Outside outside = new Outside();
    SilentReceiver fromOther = new SilentReceiver();
    LostClaim plan = new LostClaim();
    try (KeyValueStore store = SuiteStore.openSteady(directory.resolve("run-" + runs++));
        FaultyStore faulty = new FaultyStore(store, plan);
        SteppedCore core = new SteppedCore(faulty, time, time::nanos, new Random(1), outside);
        SteppedCore other = new SteppedCore(store, time, time::nanos, new Random(2), fromOther)) {
      String webhook = webhook(core);
      test(core, webhook);
      core.drain();
      assertThat(outside.told()).hasSize(1);
      test(core, webhook);
      plan.meanwhile = Optional.of(other::tick);
      faulty.during(CLAIM);

      core.drain();

      assertThat(plan.meanwhile).as("what was to happen meanwhile").isEmpty();
      assertThat(fromOther.received).as("deliveries of the other process").isEqualTo(1);
      assertThat(outside.told()).as("deliveries of this process").hasSize(1);
    }
  }

  private static String webhook(SteppedCore core) {
    return WebhookServiceGrpc.newBlockingStub(core.owner())
        .createWebhook(WebhookSteps.DESCRIPTION)
        .getId();
  }

  private static void test(SteppedCore core, String webhook) {
    var unused =
        WebhookServiceGrpc.newBlockingStub(core.owner())
            .testWebhook(TestWebhookRequest.newBuilder().setWebhookId(webhook).build());
  }

  /** Loses the first commit of a claim, and lets something happen before the next attempt. */
  private static final class LostClaim implements FaultPlan {
    private Optional<Runnable> meanwhile = Optional.empty();
    private boolean lost;

    @Override
    public Fault at(Operation operation) {
      if (!operation.during().equals(CLAIM)) {
        return Fault.NONE;
      }
      if (!lost) {
        lost = operation.writes();
        return lost ? Fault.UNKNOWN_AND_LOST : Fault.NONE;
      }
      Optional<Runnable> now = meanwhile;
      meanwhile = Optional.empty();
      now.ifPresent(Runnable::run);
      return Fault.NONE;
    }
  }

  /** Takes deliveries, and never answers. */
  private static final class SilentReceiver implements OutboundCalls {
    private int received;

    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request) {
      return send(request, 0);
    }

    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes) {
      received++;
      return new CompletableFuture<>();
    }
  }
}
