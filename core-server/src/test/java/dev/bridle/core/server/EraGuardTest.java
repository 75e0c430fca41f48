package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventRows;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EraGuardTest {
  @TempDir Path directory;

  @Test
  void aStartBeginsANewEraWhereAStoredStampLiesAboveTheStoresVersion() {
    KeyLayout layout = KeyLayout.root();
    TestCore first = TestCore.start(directory, TaskOptions.DEFAULT);
    String session = first.newSession();
    EventLog log = EventLog.open(first.store(), layout);
    int era = first.store().read(tr -> log.era(tr, "default"));
    EventId ahead = EventId.lastOf(era, 1L << 50);
    EventRows rows = new EventRows(layout, log);
    first
        .store()
        .transact(
            tr -> {
              rows.insert(tr, "default", new StoredEvent(ahead, session, new byte[0]));
              return true;
            });
    stop(first);

    TestCore again = TestCore.restart(directory, TaskOptions.DEFAULT, first.key());
    try {
      assertThat(again.eventsOf(again.submit(session).getId()).stream().map(Event::getId))
          .isNotEmpty()
          .allSatisfy(id -> assertThat(id).isGreaterThan(ahead.toString()));
    } finally {
      stop(again);
    }
  }

  /** Stops without the checker, which would name the event that was planted. */
  private static void stop(TestCore core) {
    core.core().close();
    core.store().close();
  }

  @Test
  void aStartLeavesTheEraAloneOtherwise() {
    String key;
    int before;
    KeyLayout layout = KeyLayout.root();
    try (TestCore core = TestCore.start(directory, TaskOptions.DEFAULT)) {
      key = core.key();
      core.submit(core.newSession());
      before = era(core, layout);
    }
    try (TestCore core = TestCore.restart(directory, TaskOptions.DEFAULT, key)) {
      assertThat(era(core, layout)).isEqualTo(before);
    }
  }

  private static int era(TestCore core, KeyLayout layout) {
    EventLog log = EventLog.open(core.store(), layout);
    return core.store().read(tr -> log.era(tr, "default"));
  }
}
