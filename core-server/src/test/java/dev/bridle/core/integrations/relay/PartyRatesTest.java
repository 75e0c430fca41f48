package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.OTHER_HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a party may send in a minute, at two cores over one store. */
final class PartyRatesTest {
  private static final RelayRates RATES = new RelayRates(20, 2);
  private static final Instant UNTIL = Instant.parse("2026-11-21T12:00:00Z");
  private static final int SECONDS_LEFT = 35;

  @TempDir private Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:25Z");
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;
  private RelayClient relay;
  private RelayClient other;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, clock, options -> options.withRelay(RATES));
    two = CoreOver.start(store, clock, options -> options.withRelay(RATES));
    relay = new RelayClient(one.of(Tenants.DEFAULT));
    other = new RelayClient(two.of(Tenants.DEFAULT));
    relay.approver("ada", "");
    relay.approver("ben", "");
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    StoredData.assertSound(store);
    store.close();
  }

  private void submit(RelayClient to, String enforcer, String request) {
    var unused = to.submit(artifact(enforcer, request, UNTIL));
  }

  private void submitAllowed(String enforcer) {
    for (int i = 0; i < RATES.submissions(); i++) {
      submit(i % 2 == 0 ? relay : other, enforcer, enforcer + "-" + i);
    }
  }

  private static void assertTooMany(String what, int most, int seconds, ThrowingCallable call) {
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_RATE_LIMITED, "HARP_ERR_TRANSPORT", "too_many_" + what, call);
    ErrorDetail detail = Refusal.of(call);
    assertThat(detail.getRetryAfterSeconds()).isEqualTo(seconds);
    assertThat(detail.getDetails().toStringUtf8())
        .contains("\"max_" + what + "_per_minute\":" + most);
  }

  private static void assertTooManySubmissions(int seconds, ThrowingCallable call) {
    assertTooMany("submissions", RATES.submissions(), seconds, call);
  }

  private static void assertTooManyDecisions(ThrowingCallable call) {
    assertTooMany("decisions", RATES.decisions(), SECONDS_LEFT, call);
  }

  @Test
  void anEnforcerSubmitsAsManyInAMinuteAsItMayAtAllCoresTogether() {
    submitAllowed("gate");

    assertTooManySubmissions(SECONDS_LEFT, () -> submit(relay, "gate", "one-more"));
    assertTooManySubmissions(SECONDS_LEFT, () -> submit(other, "gate", "one-more"));
    Relayed.assertNotFound(() -> relay.state("one-more"));
    assertThat(relay.requests("ada")).hasSize(RATES.submissions());

    submit(relay, "another-gate", "of-another");
    clock.pass(Duration.ofSeconds(SECONDS_LEFT - 1));
    assertTooManySubmissions(1, () -> submit(relay, "gate", "one-more"));
    clock.pass(Duration.ofSeconds(1));
    submit(relay, "gate", "one-more");
    assertThat(relay.state("one-more")).isEqualTo("pendingApproval");
  }

  @Test
  void aRepeatedArtifactIsAnsweredBeyondTheLimitAndDoesNotCount() {
    for (int i = 0; i < RATES.submissions(); i++) {
      submit(relay, "gate", "r0");
    }
    submitAllowedBut("r0");

    submit(relay, "gate", "r0");
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyExistsConflict",
        "conflict",
        () -> relay.submit(artifact("gate", "r0", OTHER_HASH, UNTIL, envelope -> {})));
    assertTooManySubmissions(SECONDS_LEFT, () -> submit(relay, "gate", "one-more"));
  }

  private void submitAllowedBut(String sent) {
    for (int i = 1; i < RATES.submissions(); i++) {
      submit(relay, "gate", sent + "-" + i);
    }
  }

  @Test
  void aRefusedArtifactDoesNotCountAndClaimsNoEnforcer() {
    for (int i = 0; i < RATES.submissions() + 1; i++) {
      String request = "r" + i;
      Relayed.assertRefused(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "HARP_ERR_POLICY_DENY",
          "no_approver",
          () ->
              relay.submit(
                  artifact(
                      "gate",
                      request,
                      HASH,
                      UNTIL,
                      envelope -> envelope.putObject("recipient").put("approverId", "nobody"))));
    }

    submitAllowed("gate");
  }

  @Test
  void concurrentSubmissionsKeepTheLimit() {
    List<CompletableFuture<Boolean>> racing =
        IntStream.range(0, 2 * RATES.submissions())
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> isAccepted(i)))
            .toList();

    assertThat(racing.stream().filter(CompletableFuture::join)).hasSize(RATES.submissions());
    assertThat(relay.requests("ada")).hasSize(RATES.submissions());
  }

  private boolean isAccepted(int number) {
    try {
      submit(number % 2 == 0 ? relay : other, "gate", "r" + number);
      return true;
    } catch (StatusRuntimeException refused) {
      assertTooManySubmissions(
          SECONDS_LEFT,
          () -> {
            throw refused;
          });
      return false;
    }
  }

  @Test
  void anApproverDecidesAsManyInAMinuteAsItMay() {
    for (int i = 0; i < 4; i++) {
      submit(relay, "gate", "r" + i);
    }
    relay.decide(decision("ada", "r0", "n0"));
    other.decide(decision("ada", "r1", "n1"));

    assertTooManyDecisions(() -> relay.decide(decision("ada", "r2", "n2")));
    assertThat(relay.state("r2")).isEqualTo("pendingApproval");
    assertThat(RelayClient.ids(relay.requests("ada"))).containsExactly("r2", "r3");
    assertThat(RelayClient.ids(relay.decisions("gate"))).containsExactly("r0", "r1");

    relay.decide(decision("ben", "r3", "n3"));
    clock.pass(Duration.ofSeconds(SECONDS_LEFT));
    relay.decide(decision("ada", "r2", "n2"));
    assertThat(relay.state("r2")).isEqualTo("decided");
  }

  @Test
  void aRepeatedDecisionIsAnsweredBeyondTheLimitAndDoesNotCount() {
    for (int i = 0; i < 3; i++) {
      submit(relay, "gate", "r" + i);
    }
    for (int i = 0; i < RATES.decisions() + 1; i++) {
      relay.decide(decision("ada", "r0", "n0"));
    }
    relay.decide(decision("ada", "r1", "n1"));

    relay.decide(decision("ada", "r0", "n0"));
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyDecidedConflict",
        "conflict",
        () -> relay.decide(decision("ada", "r0", "another")));
    assertTooManyDecisions(() -> relay.decide(decision("ada", "r2", "n2")));
  }

  @Test
  void anEnforcerAndAnApproverOfOneNameAndOtherTenantsHaveLimitsOfTheirOwn() {
    submitAllowed("ada");
    RelayClient shop = new RelayClient(one.as(keyOf("shop")));
    shop.approver("phone", "");

    relay.decide(decision("ada", "ada-0", "n0"));
    submit(shop, "ada", "r0");
    assertThat(shop.state("r0")).isEqualTo("pendingApproval");
  }

  private String keyOf(String tenant) {
    return AdminServiceGrpc.newBlockingStub(one.operator())
        .createApiKey(
            CreateApiKeyRequest.newBuilder()
                .setTenantId(tenant)
                .setActor("ada")
                .addScopes("*")
                .build())
        .getSecret();
  }

  @Test
  void aRateBelowOneIsNotAccepted() {
    assertThatThrownBy(() -> new RelayRates(0, 1))
        .hasMessage("max submissions is 0, expected 1 or more");
    assertThatThrownBy(() -> new RelayRates(1, -1))
        .hasMessage("max decisions is -1, expected 1 or more");
  }
}
