package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.layer.EventId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookPositionsTest {
  private static final EventId FIRST = EventId.lastOf(1, 1);
  private static final EventId NEXT = EventId.lastOf(1, 2);
  private static final EventId LAST = EventId.lastOf(1, 3);

  private final WebhookPositions positions = new WebhookPositions(Duration.ofMinutes(1));

  @Test
  void aWebhookGoesOnWhereItIsWithoutItsPlaceBeingStored() {
    assertThat(positions.from("a", FIRST)).isEqualTo(FIRST);

    assertThat(positions.pass("a", FIRST, NEXT, 1, 0)).isFalse();

    assertThat(positions.from("a", FIRST)).isEqualTo(NEXT);
    assertThat(positions.from("b", FIRST)).as("another").isEqualTo(FIRST);
  }

  @Test
  void aPlaceIsStoredOnceManyEventsWerePassed() {
    assertThat(positions.pass("a", FIRST, NEXT, WebhookPositions.MOST_PASSED - 1, 0)).isFalse();
    assertThat(positions.pass("a", FIRST, LAST, 1, 0)).isTrue();

    positions.stored("a", LAST, 0);

    assertThat(positions.pass("a", LAST, LAST, WebhookPositions.MOST_PASSED - 1, 0)).isFalse();
  }

  @Test
  void aPlaceThatMovedIsStoredAfterAWhileAndOneThatDidNotNever() {
    assertThat(positions.pass("a", FIRST, FIRST, 0, 0)).isFalse();
    assertThat(positions.pass("a", FIRST, FIRST, 0, 1_000_000)).as("nothing was passed").isFalse();

    assertThat(positions.pass("a", FIRST, NEXT, 1, 1_000_000)).isFalse();
    assertThat(positions.pass("a", FIRST, NEXT, 0, 1_059_999)).isFalse();
    assertThat(positions.pass("a", FIRST, NEXT, 0, 1_060_000)).isTrue();
  }

  @Test
  void whatAnotherProcessStoredIsNotStoredAgain() {
    int most = WebhookPositions.MOST_PASSED - 1;
    assertThat(positions.pass("a", FIRST, NEXT, most, 0)).isFalse();

    assertThat(positions.pass("a", NEXT, LAST, most, 60_000)).isFalse();
    assertThat(positions.from("a", NEXT)).isEqualTo(LAST);
  }

  @Test
  void webhooksThatAreGoneAreForgotten() {
    assertThat(positions.pass("a", FIRST, NEXT, 1, 0)).isFalse();

    positions.keepOnly(List.of("b"));

    assertThat(positions.from("a", FIRST)).isEqualTo(FIRST);
  }
}
