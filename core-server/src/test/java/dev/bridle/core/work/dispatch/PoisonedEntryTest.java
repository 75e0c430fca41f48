package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.fault.QuietLog;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(QuietLog.class)
class PoisonedEntryTest extends LeasedTasks {
  private static final int TASKS = 6 * DueIndex.SHARDS;
  private static final String TENANT = "default";
  private static final byte[] GARBAGE = "no record at all".getBytes(StandardCharsets.UTF_8);

  @Test
  void whatIsDueBehindAnEntryThatCanNotBeHandledIsHandledNevertheless() {
    IntStream.range(0, TASKS).forEach(n -> core.submit(session));
    worker.want(2 * TASKS);
    List<String> leased = new ArrayList<>();
    while (leased.size() < TASKS) {
      String task = worker.lease().getTask().getId();
      if (!leased.contains(task)) {
        leased.add(task);
      }
    }
    Set<Integer> shards = new HashSet<>();
    Set<String> poisoned = new HashSet<>();
    leased.stream().filter(task -> shards.add(DueIndex.shardOf(task))).forEach(poisoned::add);
    Map<String, byte[]> before = replace(poisoned, task -> GARBAGE);

    Set<String> sound = new HashSet<>(leased);
    sound.removeAll(poisoned);
    assertThat(sound).isNotEmpty();
    Set<String> again = new HashSet<>();
    while (!again.containsAll(sound)) {
      again.add(worker.lease().getTask().getId());
    }
    var unused = replace(poisoned, before::get);
  }

  /** Replaces the records of tasks. Returns what was there. */
  private Map<String, byte[]> replace(Set<String> tasks, Function<String, byte[]> by) {
    RecordRows rows = new RecordRows(KeyLayout.root());
    int kind = TaskStore.TASK.type().number();
    return core.store()
        .transact(
            tr -> {
              Map<String, byte[]> before = new HashMap<>();
              for (String task : tasks) {
                before.put(task, rows.get(tr, TENANT, kind, task).orElseThrow());
                rows.insert(tr, TENANT, kind, task, by.apply(task));
              }
              return before;
            });
  }
}
