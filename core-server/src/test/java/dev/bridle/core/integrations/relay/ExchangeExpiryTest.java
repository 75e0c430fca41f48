package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What time alone does to exchanges. */
final class ExchangeExpiryTest {
  private static final Instant UNTIL = Instant.parse("2026-11-25T10:10:00Z");

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-25T10:00:00Z");
  private KeyValueStore store;
  private CoreOver core;
  private RelayClient relay;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    relay = new RelayClient(core.of(Tenants.DEFAULT));
    relay.approver("ada", "");
  }

  @AfterEach
  void stop() {
    core.close();
    StoredData.assertSound(store);
    store.close();
  }

  @Test
  void aRequestThatNobodyDecidesInTimeIsExpiredAtOnceForAll() {
    relay.submit(artifact("gate", "r1", UNTIL));
    clock.set(UNTIL.minusMillis(1));
    assertThat(relay.state("r1")).isEqualTo("pendingApproval");
    clock.set(UNTIL);

    assertThat(relay.state("r1")).isEqualTo("expired");
    assertThat(relay.requests("ada")).isEmpty();
    assertThat(RelayClient.ids(relay.expired("ada"))).containsExactly("r1");
    assertThat(relay.await("r1", 60)).isEqualTo(ByteString.EMPTY);
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_EXPIRED",
        "expired",
        () -> relay.decide(decision("ada", "r1", "n1")));
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "ExchangeClosedConflict",
        "conflict",
        () -> relay.withdraw("r1", ""));
  }

  @Test
  void anExpiredRequestIsListedAsSuchUntilItIsDismissed() {
    relay.submit(artifact("gate", "r1", UNTIL));
    relay.submit(artifact("gate", "r2", UNTIL));
    clock.set(UNTIL);
    await().until(() -> swept() == 2);

    assertThat(relay.expired("ada")).hasSize(2);
    relay.dismiss("ada", "r1");
    assertThat(RelayClient.ids(relay.expired("ada"))).containsExactly("r2");
  }

  @Test
  void sevenDaysAfterItsEndNothingOfAnExchangeIsLeft() {
    relay.submit(artifact("gate", "decided", UNTIL));
    relay.submit(artifact("gate", "expired", UNTIL));
    relay.submit(artifact("gate", "withdrawn", UNTIL));
    relay.decide(decision("ada", "decided", "n1"));
    relay.withdraw("withdrawn", "");
    clock.set(UNTIL);
    await().until(() -> swept() == 1);
    clock.pass(Duration.ofDays(6));
    assertThat(relay.decisions("gate")).hasSize(1);
    clock.pass(Duration.ofDays(2));

    await().untilAsserted(() -> assertThat(rows(TenantSpace.MAILBOX)).isZero());
    await().untilAsserted(() -> assertThat(rows(TenantSpace.MAILBOX_PLACE)).isZero());
    for (int kind = 111; kind <= 114; kind++) {
      int each = kind;
      await().untilAsserted(() -> assertThat(rows(TenantSpace.RECORD, (long) each)).isZero());
    }
    Relayed.assertNotFound(() -> relay.state("decided"));
  }

  /** Returns how many requests the sweeper has moved to the expired ones. */
  private long swept() {
    return rows(TenantSpace.MAILBOX, "approver/ada", (long) Folder.EXPIRED.number());
  }

  private long rows(TenantSpace space, Object... items) {
    Rows rows = new Rows(KeyLayout.root());
    return store.<Integer>read(
        tr -> tr.getRange(rows.below(Tenants.DEFAULT, space, items), 1000).size());
  }
}
