package dev.bridle.storage.layer;

import static dev.bridle.storage.layer.BuiltKeys.holds;
import static dev.bridle.storage.layer.BuiltKeys.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QueueKeysTest {
  private static final String TENANT = "acme";
  private static final String TASK = "task_1";
  private static final String AGENT = "agent_1";

  private final KeyLayout layout = KeyLayout.under(new byte[] {'x', '/'});
  private final QueueKeys keys = new QueueKeys(layout);

  @Test
  void everyKeyHasTheShapeThatTheLayoutNames() {
    RowKey entry = parse(keys.entryKey(TENANT, TASK, AGENT, stamp(300, 4)));

    assertThat(entry.system()).contains(SystemSpace.QUEUE);
    assertThat(entry.is(Long.class, String.class, String.class, CommitStamp.class, String.class))
        .isTrue();
    assertThat(entry.number(0)).isEqualTo(TaskQueue.shardOf(TASK));
    assertThat(entry.text(1)).isEqualTo(AGENT);
    assertThat(entry.text(2)).isEqualTo(TENANT);
    assertThat(entry.stamp(3).commit()).isEqualTo(stamp(300, 4));
    assertThat(entry.text(4)).isEqualTo(TASK);
    assertThat(parse(keys.placeKey(TENANT, TASK)))
        .isEqualTo(
            new RowKey(
                Optional.empty(), Optional.of(TenantSpace.QUEUE_PLACE), TENANT, List.of(TASK)));
  }

  @Test
  void anEntryParsesToWhatItWasBuiltFrom() {
    byte[] key = keys.entryKey(TENANT, TASK, AGENT, stamp(300, 4));
    QueueKeys.EntryKey parsed = keys.parseEntryKey(key);

    assertThat(parsed.tenant()).isEqualTo(TENANT);
    assertThat(parsed.task()).isEqualTo(TASK);
    assertThat(parsed.agentId()).isEqualTo(AGENT);
    assertThat(parsed.stamp()).isEqualTo(stamp(300, 4));
    assertThat(keys.parseEntryTenant(key)).isEqualTo(TENANT);
  }

  @Test
  void aCommitCompletesAStampedEntry() {
    assertThat(BuiltKeys.complete(keys.stampedEntryKey(TENANT, TASK, AGENT), stamp(300, 4)))
        .isEqualTo(keys.entryKey(TENANT, TASK, AGENT, stamp(300, 4)));
  }

  @Test
  void entriesSortByTheCommitThatQueuedThem() {
    assertThat(
            List.of(stamp(1, 0), stamp(1, 1), stamp(2, 0), stamp(256, 0), stamp(70_000, 3)).stream()
                .map(stamp -> keys.entryKey(TENANT, TASK, AGENT, stamp))
                .toList())
        .isSortedAccordingTo(Arrays::compareUnsigned)
        .doesNotHaveDuplicates();
  }

  @Test
  void aRangeBeginsAtACommitVersion() {
    KeyRange range = keys.entryRange(TaskQueue.shardOf(TASK), AGENT, TENANT, 300);

    assertThat(holds(range, keys.entryKey(TENANT, TASK, AGENT, stamp(299, 9)))).isFalse();
    assertThat(holds(range, keys.entryKey(TENANT, TASK, AGENT, stamp(300, 0)))).isTrue();
    assertThat(holds(range, keys.entryKey(TENANT, TASK, "", stamp(300, 0)))).isFalse();
    assertThat(holds(range, keys.entryKey("other", TASK, AGENT, stamp(300, 0)))).isFalse();
    assertThat(holds(keys.entryRange(), keys.entryKey("other", TASK, AGENT, stamp(1, 0)))).isTrue();
  }

  private RowKey parse(byte[] key) {
    return new Rows(layout).parse(key).orElseThrow();
  }
}
