package dev.bridle.core.integrations.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.ExchangeStatus;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class ExchangeLifecycleTest {
  private static final long NOW = 1_000_000;
  private static final ExchangeRecord PENDING =
      ExchangeRecord.newBuilder()
          .setRequestId("r1")
          .setEnforcerId("gate")
          .setStatus(ExchangeStatus.EXCHANGE_STATUS_PENDING_APPROVAL)
          .setExpiresAtMillis(NOW)
          .setDueAt(NOW)
          .addRecipients(ExchangeRecipient.newBuilder().setApproverId("ada"))
          .addRecipients(ExchangeRecipient.newBuilder().setApproverId("ben").setDismissed(true))
          .build();

  private final ExchangeLifecycle lifecycle = new ExchangeLifecycle(RelayLimits.DEFAULT);

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"EXCHANGE_STATUS_UNSPECIFIED", "UNRECOGNIZED"})
  void anExchangeTakesTheStepsOfHarpAndNoOthers(ExchangeStatus from) {
    Set<ExchangeStatus> allowed =
        switch (from) {
          case EXCHANGE_STATUS_PENDING_APPROVAL ->
              Set.of(
                  ExchangeStatus.EXCHANGE_STATUS_DECIDED,
                  ExchangeStatus.EXCHANGE_STATUS_EXPIRED,
                  ExchangeStatus.EXCHANGE_STATUS_WITHDRAWN,
                  ExchangeStatus.EXCHANGE_STATUS_CANCELLED);
          case EXCHANGE_STATUS_DECIDED -> Set.of(ExchangeStatus.EXCHANGE_STATUS_DELIVERED);
          default -> Set.of();
        };
    Arrays.stream(ExchangeStatus.values())
        .filter(
            to ->
                to != ExchangeStatus.EXCHANGE_STATUS_UNSPECIFIED
                    && to != ExchangeStatus.UNRECOGNIZED)
        .forEach(to -> assertStep(from, to, allowed.contains(to)));
  }

  private void assertStep(ExchangeStatus from, ExchangeStatus to, boolean allowed) {
    ExchangeRecord before = PENDING.toBuilder().setStatus(from).build();
    if (allowed) {
      ExchangeRecord after = lifecycle.move(before, to, NOW);
      assertThat(after.getStatus()).isEqualTo(to);
      assertThat(after.getDueAt()).isEqualTo(NOW + RelayLimits.DEFAULT.retention().toMillis());
    } else {
      assertThatThrownBy(() -> lifecycle.move(before, to, NOW))
          .as("%s to %s", from, to)
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aPendingExchangeExpiresByTimeAlone() {
    assertThat(ExchangeLifecycle.stateAt(PENDING, NOW - 1))
        .isEqualTo(ExchangeState.PENDING_APPROVAL);
    assertThat(ExchangeLifecycle.stateAt(PENDING, NOW)).isEqualTo(ExchangeState.EXPIRED);
    ExchangeRecord decided =
        PENDING.toBuilder().setStatus(ExchangeStatus.EXCHANGE_STATUS_DECIDED).build();
    assertThat(ExchangeLifecycle.stateAt(decided, NOW)).isEqualTo(ExchangeState.DECIDED);
  }

  @Test
  void theStateDecidesInWhichMailboxesAnExchangeStands() {
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_PENDING_APPROVAL))
        .isEqualTo(Map.of("enforcer/gate", Folder.PENDING, "approver/ada", Folder.INBOX));
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_DECIDED))
        .isEqualTo(Map.of("enforcer/gate", Folder.INBOX));
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_EXPIRED))
        .isEqualTo(Map.of("approver/ada", Folder.EXPIRED));
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_DELIVERED)).isEmpty();
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_WITHDRAWN)).isEmpty();
    assertThat(placements(ExchangeStatus.EXCHANGE_STATUS_CANCELLED)).isEmpty();
  }

  private static Map<String, Folder> placements(ExchangeStatus status) {
    return Placements.of(PENDING.toBuilder().setStatus(status).build());
  }
}
