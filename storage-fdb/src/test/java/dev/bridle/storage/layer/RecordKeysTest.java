package dev.bridle.storage.layer;

import static dev.bridle.storage.layer.BuiltKeys.holds;
import static dev.bridle.storage.layer.BuiltKeys.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecordKeysTest {
  private static final String TENANT = "acme";
  private static final int KIND = 99;
  private static final EventId EVENT = EventId.of(2, stamp(300, 4), 5, 7);
  private static final List<LogPosition> IN_ORDER =
      List.of(
          LogPosition.of(EventId.of(0, stamp(1, 0), 0, 0)),
          LogPosition.of(EventId.of(0, stamp(1, 0), 256, 0)),
          LogPosition.of(EventId.of(0, stamp(256, 0), 0, 0)),
          LogPosition.of(EventId.of(1, stamp(0, 0), 0, 0)),
          LogPosition.of(EventId.of(40_000, stamp(0, 0), 0, 0)));

  private final KeyLayout layout = KeyLayout.under(new byte[] {'x', '/'});
  private final RecordKeys keys = new RecordKeys(layout);
  private final RecordKeys.Index index = keys.index(TENANT, KIND, 1, "v");

  @Test
  void everyKeyHasTheShapeThatTheLayoutNames() {
    assertThat(parse(keys.recordKey(TENANT, KIND, "a")))
        .isEqualTo(key(TenantSpace.RECORD, 99L, "a"));
    assertThat(parse(index.rowKey(LogPosition.of(EVENT))))
        .isEqualTo(key(TenantSpace.INDEX, 99L, 1L, "v", 2L, CommitStamp.of(EVENT.stamp())));
  }

  @Test
  void aRowOfAnIndexParsesToItsPlaceAndPosition() {
    LogPosition place = LogPosition.of(EVENT);
    byte[] row = index.rowKey(place);

    assertThat(index.parseRowKey(row)).isEqualTo(place);
    assertThat(index.positionOf(row)).isEqualTo(place.position());
    assertThat(LogPosition.ofPosition(place.position())).isEqualTo(place);
  }

  @Test
  void aCommitCompletesAStampedRow() {
    byte[] stamped = index.stampedRowKey(new PendingEventId(2, 5, 7));

    assertThat(BuiltKeys.complete(stamped, stamp(300, 4)))
        .isEqualTo(index.rowKey(LogPosition.of(EVENT)));
  }

  @Test
  void recordsSortByIdAndRowsByPlace() {
    assertThat(
            List.of("a", "a/1", "aa", "b", "b\u00e9").stream()
                .map(id -> keys.recordKey(TENANT, KIND, id))
                .toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
    assertThat(IN_ORDER).isSorted();
    assertThat(IN_ORDER.stream().map(index::rowKey).toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
  }

  @Test
  void rangesOfRecordsHoldTheIdsWithTheirPrefix() {
    KeyRange from = keys.recordRangeFrom(TENANT, KIND, "a/", "a/2");
    assertThat(holds(from, keys.recordKey(TENANT, KIND, "a/1"))).isFalse();
    assertThat(holds(from, keys.recordKey(TENANT, KIND, "a/2"))).isTrue();
    assertThat(holds(from, keys.recordKey(TENANT, KIND, "a/\u00ff"))).isTrue();
    assertThat(holds(from, keys.recordKey(TENANT, KIND, "b/2"))).isFalse();

    KeyRange before = keys.recordRangeBefore(TENANT, KIND, "a/", Optional.of("a/2"));
    assertThat(holds(before, keys.recordKey(TENANT, KIND, "a/1"))).isTrue();
    assertThat(holds(before, keys.recordKey(TENANT, KIND, "a/2"))).isFalse();
    assertThat(holds(before, keys.recordKey(TENANT, KIND, "a"))).isFalse();
    assertThat(
            holds(
                keys.recordRangeBefore(TENANT, KIND, "a/", Optional.empty()),
                keys.recordKey(TENANT, KIND, "a/2")))
        .isTrue();

    byte[] chunk = layout.child(keys.recordKey(TENANT, KIND, "a"), 1);
    assertThat(holds(keys.recordRange(TENANT, KIND), chunk)).isTrue();
    assertThat(holds(keys.recordRange(TENANT, KIND + 1), chunk)).isFalse();
  }

  @Test
  void rangesOfRowsGoOnRightAfterARow() {
    LogPosition middle = IN_ORDER.get(2);
    byte[] before = index.rowKey(IN_ORDER.get(1));
    byte[] after = index.rowKey(IN_ORDER.get(3));
    for (KeyRange range :
        List.of(
            index.rangeAfter(Optional.of(middle)),
            index.rangeAfterPosition(Optional.of(middle.position()), false))) {
      assertThat(holds(range, before)).isFalse();
      assertThat(holds(range, index.rowKey(middle))).isFalse();
      assertThat(holds(range, after)).isTrue();
    }
    KeyRange backwards = index.rangeAfterPosition(Optional.of(middle.position()), true);
    assertThat(holds(backwards, before)).isTrue();
    assertThat(holds(backwards, index.rowKey(middle))).isFalse();
    assertThat(holds(backwards, after)).isFalse();

    byte[] other = keys.index(TENANT, KIND, 1, "w").rowKey(middle);
    assertThat(holds(index.range(), other)).isFalse();
    assertThat(holds(keys.indexRange(TENANT, KIND, 1), other)).isTrue();
    assertThat(holds(keys.indexRange(TENANT, KIND, 2), other)).isFalse();
  }

  private RowKey parse(byte[] key) {
    return new Rows(layout).parse(key).orElseThrow();
  }

  private static RowKey key(TenantSpace space, Object... items) {
    return new RowKey(Optional.empty(), Optional.of(space), TENANT, List.of(items));
  }
}
