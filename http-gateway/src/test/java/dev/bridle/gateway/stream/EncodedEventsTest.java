package dev.bridle.gateway.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EncodedEventsTest {
  private final List<Event> encoded = new ArrayList<>();
  private final EncodedEvents<String> events =
      new EncodedEvents<>(
          event -> {
            encoded.add(event);
            return event.getId() + encoded.size();
          });

  @Test
  void anEventThatManyStreamsSendIsEncodedOnce() {
    Event event = event("e", 10);

    for (int stream = 0; stream < 100; stream++) {
      assertThat(events.of(event)).isEqualTo("e1");
    }

    assertThat(encoded).hasSize(1);
  }

  @Test
  void anEqualEventOfAnotherReadIsEncodedAnew() {
    assertThat(events.of(event("e", 10))).isEqualTo("e1");
    assertThat(events.of(event("e", 10))).isEqualTo("e2");
  }

  @Test
  void eachEventHasItsOwnEncodingHoweverManyThereAre() {
    List<Event> many = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      many.add(event("e" + i + "-", 10));
    }

    for (int pass = 0; pass < 2; pass++) {
      for (Event event : many) {
        assertThat(events.of(event)).startsWith(event.getId());
      }
    }
  }

  @Test
  void theEncodingOfALargeEventIsNotKept() {
    Event large = event("e", 1 << 20);

    assertThat(events.of(large)).isEqualTo("e1");
    assertThat(events.of(large)).isEqualTo("e2");
  }

  private static Event event(String id, int bytes) {
    return Event.newBuilder()
        .setId(id)
        .setPayload(ByteString.copyFromUtf8("x".repeat(bytes)))
        .build();
  }
}
