package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.record.Place;
import org.junit.jupiter.api.Test;

class KnownRecordsTest {
  private final KnownRecords known = new KnownRecords();

  @Test
  void onlyRecordsThatWereAddedAreKnown() {
    for (long id = 1; id <= 5000; id++) {
      known.add(hash(id), Place.ANYWHERE);
    }

    assertThat(known.contains(hash(1))).isTrue();
    assertThat(known.contains(hash(5000))).isTrue();
    assertThat(known.contains(hash(5001))).isFalse();
  }

  @Test
  void placesAgreeAsThePlacesThemselvesDo() {
    known.add(hash(1), new Place("w", "s"));

    assertThat(known.agrees(hash(1), new Place("w", "s"))).isTrue();
    assertThat(known.agrees(hash(1), new Place("", "s"))).isTrue();
    assertThat(known.agrees(hash(1), Place.ANYWHERE)).isTrue();
    assertThat(known.agrees(hash(1), new Place("other", "s"))).isFalse();
    assertThat(known.agrees(hash(1), new Place("w", "other"))).isFalse();
    assertThat(known.agrees(hash(2), Place.ANYWHERE)).isFalse();
  }

  private static long hash(long id) {
    return RowHash.of(id).end();
  }
}
