package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.layer.EventId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookPlacesTest {
  private static final EventId FIRST = EventId.lastOf(1, 1);
  private static final EventId NEXT = EventId.lastOf(1, 2);
  private static final EventId LAST = EventId.lastOf(1, 3);

  private final WebhookPlaces places = new WebhookPlaces(Duration.ofMinutes(1));

  @Test
  void aWebhookGoesOnWhereItIsWithoutItsPlaceBeingStored() {
    assertThat(places.from("a", FIRST)).isEqualTo(FIRST);

    assertThat(places.pass("a", FIRST, NEXT, 1, 0)).isFalse();

    assertThat(places.from("a", FIRST)).isEqualTo(NEXT);
    assertThat(places.from("b", FIRST)).as("another").isEqualTo(FIRST);
  }

  @Test
  void aPlaceIsStoredOnceManyEventsWerePassed() {
    assertThat(places.pass("a", FIRST, NEXT, WebhookPlaces.MOST_PASSED - 1, 0)).isFalse();
    assertThat(places.pass("a", FIRST, LAST, 1, 0)).isTrue();

    places.stored("a", LAST, 0);

    assertThat(places.pass("a", LAST, LAST, WebhookPlaces.MOST_PASSED - 1, 0)).isFalse();
  }

  @Test
  void aPlaceThatMovedIsStoredAfterAWhileAndOneThatDidNotNever() {
    assertThat(places.pass("a", FIRST, FIRST, 0, 0)).isFalse();
    assertThat(places.pass("a", FIRST, FIRST, 0, 1_000_000)).as("nothing was passed").isFalse();

    assertThat(places.pass("a", FIRST, NEXT, 1, 1_000_000)).isFalse();
    assertThat(places.pass("a", FIRST, NEXT, 0, 1_059_999)).isFalse();
    assertThat(places.pass("a", FIRST, NEXT, 0, 1_060_000)).isTrue();
  }

  @Test
  void whatAnotherProcessStoredIsNotStoredAgain() {
    int most = WebhookPlaces.MOST_PASSED - 1;
    assertThat(places.pass("a", FIRST, NEXT, most, 0)).isFalse();

    assertThat(places.pass("a", NEXT, LAST, most, 60_000)).isFalse();
    assertThat(places.from("a", NEXT)).isEqualTo(LAST);
  }

  @Test
  void webhooksThatAreGoneAreForgotten() {
    assertThat(places.pass("a", FIRST, NEXT, 1, 0)).isFalse();

    places.keepOnly(List.of("b"));

    assertThat(places.from("a", FIRST)).isEqualTo(FIRST);
  }
}
