package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TaskQueueTest {
  private LayerStore open;
  private KeyValueStore store;
  private TaskQueue queue;

  @BeforeEach
  void openStore() {
    open = new LayerStore();
    store = open.store();
    queue = new TaskQueue(KeyLayout.root());
  }

  @AfterEach
  void closeStore() {
    open.close();
  }

  @Test
  void tasksWaitForTheirAgentAndTenantOldestFirst() {
    push("acme", "t1", "agent");
    push("acme", "t5", "agent");
    push("acme", "t2", "");
    push("other", "t3", "agent");

    assertThat(waiting("agent", "acme")).containsExactlyInAnyOrder("t1", "t5");
    assertThat(waiting("", "acme")).containsExactly("t2");
    assertThat(waiting("agent", "other")).containsExactly("t3");
  }

  @Test
  void tasksThatAreQueuedTogetherAllWait() {
    store.transact(
        tr -> {
          for (int i = 0; i < 20; i++) {
            queue.push(tr, new QueuedTask("acme", "t" + i, "", "", "", 0));
          }
          return true;
        });

    assertThat(waiting("", "acme")).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void aTaskLeavesTheQueueOnce() {
    push("acme", "t1", "agent");

    assertThat(remove("t1")).isTrue();
    assertThat(remove("t1")).isFalse();
    assertThat(waiting("agent", "acme")).isEmpty();
    assertThat(store.<Boolean>read(tr -> queue.place(tr, "acme", "t1").isPresent())).isFalse();
  }

  @Test
  void aTaskCanBeQueuedAgainInTheTransactionThatTakesItOut() {
    push("acme", "t1", "agent");
    store.transact(
        tr -> {
          remove(tr, "t1");
          queue.push(tr, new QueuedTask("acme", "t1", "other", "", "", 0));
          return true;
        });

    assertThat(waiting("agent", "acme")).isEmpty();
    assertThat(waiting("other", "acme")).containsExactly("t1");
  }

  @Test
  void whoTakesTheSameTaskConflictsAndWhoTakesAnotherDoesNot() {
    push("acme", "t1", "agent");
    push("acme", "t2", "agent");
    List<Boolean> taken = new ArrayList<>();
    store.transact(
        tr -> {
          boolean mine = remove(tr, "t1");
          if (taken.isEmpty()) {
            remove("t2");
            remove("t1");
          }
          taken.add(mine);
          return mine;
        });

    assertThat(taken).containsExactly(true, false);
  }

  @Test
  void tasksThatAreWantedAreFoundBehindAnyNumberOfOthers() {
    for (int i = 0; i < 1500; i++) {
      push("acme", "others" + i, "");
    }
    store.transact(
        tr -> {
          queue.push(tr, new QueuedTask("acme", "mine", "", "wanted", "", 0));
          return true;
        });

    int shard = TaskQueue.shardOf("mine");
    assertThat(
            store.<List<QueuedTask>>read(
                tr ->
                    queue.waiting(
                        tr,
                        shard,
                        "",
                        "acme",
                        0,
                        10,
                        task -> task.workspace().equals("wanted"),
                        100_000)))
        .extracting(QueuedTask::task)
        .containsExactly("mine");
  }

  private void push(String tenant, String task, String agent) {
    store.transact(
        tr -> {
          queue.push(tr, new QueuedTask(tenant, task, agent, "", "", 0));
          return true;
        });
  }

  private boolean remove(String task) {
    return store.transact(tr -> remove(tr, task));
  }

  private List<String> waiting(String agent, String tenant) {
    List<String> tasks = new ArrayList<>();
    for (int shard = 0; shard < TaskQueue.SHARDS; shard++) {
      int at = shard;
      store
          .read(tr -> queue.waiting(tr, at, agent, tenant, 100))
          .forEach(task -> tasks.add(task.task()));
    }
    return tasks;
  }

  private boolean remove(Transaction tr, String task) {
    Optional<TaskQueue.Place> place = queue.place(tr, "acme", task);
    place.ifPresent(found -> queue.remove(tr, found, "agent"));
    return place.isPresent();
  }
}
