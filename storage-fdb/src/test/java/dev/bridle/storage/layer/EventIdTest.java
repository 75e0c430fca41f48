package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventIdTest {

  @Test
  void idsSortAlikeAsValuesAsTextAndByEraThenStampThenNumber() {
    List<EventId> inOrder =
        List.of(
            EventId.of(0, stamp(1, 0), 0, 9),
            EventId.of(0, stamp(1, 0), 1, 0),
            EventId.of(0, stamp(1, 1), 0, 3),
            EventId.of(0, stamp(256, 0), 0, 0),
            EventId.of(1, stamp(0, 0), 0, 0),
            EventId.of(40_000, stamp(0, 0), 0, 0));
    List<EventId> shuffled = new ArrayList<>(inOrder);
    Collections.shuffle(shuffled, new Random(7));

    assertThat(shuffled.stream().sorted().toList()).isEqualTo(inOrder);
    assertThat(inOrder.stream().map(EventId::toString).toList()).isSorted();
  }

  @Test
  void theSpellingOfAnIdReadsBackToIt() {
    EventId id = EventId.of(3, stamp(123_456_789, 17), 42, 15);

    assertThat(EventId.parse(id.toString())).contains(id);
    assertThat(id.toString()).hasSize("event_".length() + 24);
    assertThat(id.commitVersion()).isEqualTo(123_456_789);
    assertThat(id.partition()).isEqualTo(15);
  }

  @Test
  void whatIsNoIdIsRefused() {
    String good = EventId.of(3, stamp(5, 5), 5, 5).toString();

    assertThat(
            List.of(
                "",
                "event_",
                good + "0",
                good.substring(1),
                good.toUpperCase(Locale.ROOT),
                good.replace("event_", "task__"),
                "event_uuuuuuuuuuuuuuuuuuuuuuuu",
                "event_é00000000000000000000000"))
        .allSatisfy(text -> assertThat(EventId.parse(text)).isEqualTo(Optional.empty()));
  }

  @Test
  void theLastIdOfAVersionLiesBetweenThatVersionAndTheNext() {
    EventId last = EventId.lastOf(2, 9);

    assertThat(last).isGreaterThan(EventId.of(2, stamp(9, 0xfffe), 0xfffe, 0xfe));
    assertThat(last).isLessThan(EventId.of(2, stamp(10, 0), 0, 0));
  }

  @Test
  void rightBeforeAnIdLiesTheEndOfTheNumberBefore() {
    EventId id = EventId.of(2, stamp(9, 0), 0, 7);

    assertThat(id.justBefore()).isLessThan(id).isGreaterThan(EventId.of(2, stamp(8, 3), 5, 7));
    assertThat(id.justBefore().stamp()).isNotEqualTo(id.stamp());
    assertThat(EventId.of(2, stamp(9, 0), 4, 7).justBefore())
        .isEqualTo(EventId.of(2, stamp(9, 0), 3, 0xff));
  }

  private static byte[] stamp(long version, int batch) {
    return ByteBuffer.allocate(10).putLong(version).putShort((short) batch).array();
  }
}
