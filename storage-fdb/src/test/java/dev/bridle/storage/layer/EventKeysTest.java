package dev.bridle.storage.layer;

import static dev.bridle.storage.layer.BuiltKeys.holds;
import static dev.bridle.storage.layer.BuiltKeys.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EventKeysTest {
  private static final String TENANT = "acme";
  private static final String STREAM = "session_1";
  private static final int PARTITION = 7;
  private static final EventId ID = EventId.of(2, stamp(300, 4), 5, PARTITION);
  private static final List<EventId> IN_ORDER =
      List.of(
          EventId.of(0, stamp(1, 0), 0, PARTITION),
          EventId.of(0, stamp(1, 0), 1, PARTITION),
          EventId.of(0, stamp(1, 0), 256, PARTITION),
          EventId.of(0, stamp(1, 1), 0, PARTITION),
          EventId.of(0, stamp(256, 0), 0, PARTITION),
          EventId.of(1, stamp(0, 0), 0, PARTITION),
          EventId.of(300, stamp(0, 0), 0, PARTITION),
          EventId.of(40_000, stamp(0, 0), 0, PARTITION));

  private final KeyLayout layout = KeyLayout.under(new byte[] {'x', '/'});
  private final EventKeys keys = new EventKeys(layout);

  @Test
  void everyKeyHasTheShapeThatTheLayoutNames() {
    CommitStamp stamp = CommitStamp.of(ID.stamp());

    assertThat(parse(keys.partitionsKey()))
        .isEqualTo(
            new RowKey(Optional.of(SystemSpace.PARTITIONS), Optional.empty(), "", List.of()));
    assertThat(parse(keys.eraKey(TENANT))).isEqualTo(key(TenantSpace.ERA));
    assertThat(parse(keys.bodyKey(TENANT, STREAM, ID)))
        .isEqualTo(key(TenantSpace.EVENT, STREAM, 2L, stamp));
    assertThat(parse(keys.taskEventKey(TENANT, "task_1", 9)))
        .isEqualTo(key(TenantSpace.TASK_EVENT, "task_1", 9L));
    assertThat(parse(keys.feedKey(TENANT, ID))).isEqualTo(key(TenantSpace.FEED, 7L, 2L, stamp));
    assertThat(parse(keys.lastEventKey(TENANT, STREAM)))
        .isEqualTo(key(TenantSpace.LAST_EVENT, STREAM));
    assertThat(parse(keys.floorKey(TENANT, EventKeys.WHOLE_TENANT)))
        .isEqualTo(key(TenantSpace.FLOOR, ""));
    assertThat(parse(keys.sequenceKey(TENANT, "session", STREAM)))
        .isEqualTo(key(TenantSpace.SEQUENCE, "session", STREAM));
  }

  @Test
  void keysParseToWhatTheyWereBuiltFrom() {
    byte[] body = keys.bodyKey(TENANT, STREAM, ID);

    assertThat(keys.parseBodyKey(body, PARTITION)).isEqualTo(new EventKeys.BodyKey(ID, false));
    assertThat(keys.parseBodyKey(layout.child(body, 3), PARTITION))
        .isEqualTo(new EventKeys.BodyKey(ID, true));
    assertThat(keys.parseFeedKey(keys.feedKey(TENANT, ID))).isEqualTo(ID);
    assertThat(keys.parseFeedKey(keys.feedKey(TENANT, 3, ID)))
        .isEqualTo(EventId.of(2, stamp(300, 4), 5, 3));
    assertThat(keys.parseLastEventKey(keys.lastEventKey(TENANT, STREAM))).isEqualTo(STREAM);
  }

  @Test
  void aCommitCompletesBuiltKeysToThoseOfTheEventsId() {
    PendingEventId pending = new PendingEventId(2, 5, PARTITION);
    byte[] body = layout.stampedKey(keys.pendingBodyTuple(TENANT, STREAM, pending));

    assertThat(BuiltKeys.complete(body, stamp(300, 4))).isEqualTo(keys.bodyKey(TENANT, STREAM, ID));
    assertThat(BuiltKeys.complete(keys.stampedFeedKey(TENANT, pending), stamp(300, 4)))
        .isEqualTo(keys.feedKey(TENANT, ID));
  }

  @Test
  void keysSortAsTheIdsAndSequencesDo() {
    assertThat(IN_ORDER).isSorted();
    assertThat(IN_ORDER.stream().map(id -> keys.bodyKey(TENANT, STREAM, id)).toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
    assertThat(IN_ORDER.stream().map(id -> keys.feedKey(TENANT, id)).toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
    assertThat(
            List.of(0L, 1L, 255L, 256L, 70_000L).stream()
                .map(sequence -> keys.taskEventKey(TENANT, "task_1", sequence))
                .toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
  }

  @Test
  void rangesBeginRightAfterAnEventAndEndRightBeforeIt() {
    EventId before = IN_ORDER.get(3);
    EventId middle = IN_ORDER.get(4);
    EventId after = IN_ORDER.get(5);
    KeyRange bodiesAfter = keys.bodyRangeAfter(TENANT, STREAM, Optional.of(middle));
    KeyRange bodiesBefore = keys.bodyRangeBefore(TENANT, STREAM, middle);
    byte[] body = keys.bodyKey(TENANT, STREAM, middle);

    assertThat(holds(bodiesAfter, keys.bodyKey(TENANT, STREAM, after))).isTrue();
    assertThat(holds(bodiesAfter, body)).isFalse();
    assertThat(holds(bodiesAfter, layout.child(body, 1))).isFalse();
    assertThat(holds(bodiesBefore, body)).isFalse();
    assertThat(holds(bodiesBefore, layout.child(keys.bodyKey(TENANT, STREAM, before), 1))).isTrue();
    assertThat(holds(keys.bodyRange(TENANT, STREAM), layout.child(body, 1))).isTrue();

    KeyRange feedAfter = keys.feedRangeAfter(TENANT, PARTITION, Optional.of(middle));
    KeyRange feedBefore = keys.feedRangeBefore(TENANT, PARTITION, Optional.of(middle));
    byte[] feed = keys.feedKey(TENANT, middle);
    assertThat(holds(feedAfter, keys.feedKey(TENANT, after))).isTrue();
    assertThat(holds(feedAfter, feed)).isFalse();
    assertThat(holds(feedBefore, keys.feedKey(TENANT, before))).isTrue();
    assertThat(holds(feedBefore, feed)).isFalse();
    assertThat(holds(keys.feedRange(TENANT, PARTITION + 1), feed)).isFalse();

    KeyRange fromSecond = keys.taskEventRange(TENANT, "task_1", 2);
    assertThat(holds(fromSecond, keys.taskEventKey(TENANT, "task_1", 1))).isFalse();
    assertThat(holds(fromSecond, keys.taskEventKey(TENANT, "task_1", 2))).isTrue();
    assertThat(holds(fromSecond, keys.taskEventKey(TENANT, "task_10", 2))).isFalse();

    KeyRange streams = keys.lastEventRangeAfter(TENANT, STREAM);
    assertThat(holds(streams, keys.lastEventKey(TENANT, STREAM))).isFalse();
    assertThat(holds(streams, keys.lastEventKey(TENANT, "session_2"))).isTrue();
  }

  private RowKey parse(byte[] key) {
    return new Rows(layout).parse(key).orElseThrow();
  }

  private static RowKey key(TenantSpace space, Object... items) {
    return new RowKey(Optional.empty(), Optional.of(space), TENANT, List.of(items));
  }
}
