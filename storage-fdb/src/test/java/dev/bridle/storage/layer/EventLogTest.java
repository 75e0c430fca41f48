package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EventLogTest {
  private static final String TENANT = "acme";
  private LayerStore open;
  private KeyValueStore store;
  private EventLog log;

  @BeforeEach
  void openStore() {
    open = new LayerStore();
    store = open.store();
    log = EventLog.open(store, KeyLayout.root());
  }

  @AfterEach
  void closeStore() {
    open.close();
  }

  @Test
  void aStreamIsReadInTheOrderOfItsAppendsAndFromAnyCursorOn() {
    append("s1", "a", "b");
    append("s2", "x");
    append("s1", "c");

    List<StoredEvent> all = stream("s1", Optional.empty(), 10);
    assertThat(bodies(all)).containsExactly("a", "b", "c");
    assertThat(bodies(stream("s1", Optional.of(all.get(0).id()), 10))).containsExactly("b", "c");
    assertThat(bodies(stream("s1", Optional.of(all.get(0).id()), 1))).containsExactly("b");
    assertThat(stream("s1", Optional.of(all.get(2).id()), 10)).isEmpty();
  }

  @Test
  void whatIsDroppedIsGoneFromStreamFeedAndTaskAndItsFloorsSayWhere() {
    List<EventId> ids = new ArrayList<>();
    for (int sequence = 0; sequence < 3; sequence++) {
      int at = sequence;
      append(
          tr -> {
            PendingEventId id =
                log.appender(tr, TENANT).appendOfTask("s1", "t1", at, bytes("e" + at));
            assertThat(id.number()).isZero();
          });
    }
    append("s2", "x");
    stream("s1", Optional.empty(), 10).forEach(event -> ids.add(event.id()));
    List<DroppedEvent> oldest =
        List.of(
            new DroppedEvent(ids.get(0), "s1", "t1", 0),
            new DroppedEvent(ids.get(1), "s1", "t1", 1));

    for (int again = 0; again < 2; again++) {
      append(tr -> log.drop(tr, TENANT, oldest));
      assertThat(bodies(stream("s1", Optional.empty(), 10))).containsExactly("e2");
      assertThat(bodies(read(tr -> log.readTask(tr, TENANT, "s1", "t1", 0, 10))))
          .containsExactly("e2");
      assertThat(this.<Optional<StoredEvent>>read(tr -> log.find(tr, TENANT, ids.get(1))))
          .isEmpty();
      assertThat(bodies(stream("s2", Optional.empty(), 10))).containsExactly("x");
      EventId floor = read(tr -> log.floor(tr, TENANT, "s1")).orElseThrow();
      assertThat(floor).isGreaterThan(ids.get(1)).isLessThan(ids.get(2));
      assertThat(floor.justBefore()).isLessThan(ids.get(1)).isGreaterThan(ids.get(0));
      assertThat(this.<Optional<EventId>>read(tr -> log.floor(tr, TENANT))).contains(floor);
      assertThat(this.<Optional<EventId>>read(tr -> log.floor(tr, TENANT, "s2"))).isEmpty();
    }
    append(tr -> log.drop(tr, TENANT, oldest.subList(0, 1)));
    assertThat(read(tr -> log.floor(tr, TENANT)).orElseThrow()).isGreaterThan(ids.get(1));
  }

  @Test
  void aClosedLogTakesNothingUntilItIsOpenedInANewEra() {
    append("s1", "a");
    EventId last = stream("s1", Optional.empty(), 10).get(0).id();
    append(tr -> log.reopen(tr, TENANT));
    assertThat(this.<Integer>read(tr -> log.era(tr, TENANT))).isZero();

    append(tr -> log.close(tr, TENANT));

    assertThat(this.<Boolean>read(tr -> log.isClosed(tr, TENANT))).isTrue();
    assertThatThrownBy(() -> append("s1", "b")).isInstanceOf(ClosedLogException.class);
    append(tr -> log.reopen(tr, TENANT));
    append("s1", "c");
    assertThat(bodies(stream("s1", Optional.of(last), 10))).containsExactly("c");
    assertThat(this.<Integer>read(tr -> log.era(tr, TENANT))).isEqualTo(1);
  }

  @Test
  void theIdThatAnAppendGivesIsTheOneThatIsReadBack() {
    AtomicReference<CompletableFuture<byte[]>> stamp = new AtomicReference<>();
    PendingEventId pending =
        store.transact(
            tr -> {
              EventAppender appender = log.appender(tr, TENANT);
              PendingEventId id = appender.append("s1", bytes("a"));
              appender.finish();
              stamp.set(tr.versionstamp());
              return id;
            });

    EventId id = pending.complete(stamp.get().join());
    assertThat(stream("s1", Optional.empty(), 1).get(0).id()).isEqualTo(id);
    assertThat(store.read(tr -> log.find(tr, TENANT, id)).map(e -> text(e.body()))).contains("a");
    Optional<EventId> last = store.read(tr -> log.lastEventId(tr, TENANT, "s1"));
    assertThat(last).contains(id);
    Optional<StoredEvent> elsewhere = store.read(tr -> log.find(tr, "other", id));
    assertThat(elsewhere).isEmpty();
  }

  @Test
  void bodiesOfAnySizeUpToTheTransactionLimitReadBackWhole() {
    byte[] large = new byte[1_234_567];
    new Random(1).nextBytes(large);
    byte[] exact = new byte[90_000];
    store.transact(
        tr -> {
          EventAppender appender = log.appender(tr, TENANT);
          appender.append("s1", bytes("before"));
          appender.append("s1", large);
          appender.append("s1", exact);
          return appender.append("s1", bytes("after"));
        });

    List<StoredEvent> all = new ArrayList<>();
    for (Optional<EventId> at = Optional.empty(); all.size() < 4; ) {
      List<StoredEvent> page = stream("s1", at, 1);
      assertThat(page).hasSize(1);
      all.addAll(page);
      at = Optional.of(page.get(0).id());
    }
    assertThat(all.get(1).body()).isEqualTo(large);
    assertThat(all.get(2).body()).isEqualTo(exact);
    assertThat(text(all.get(3).body())).isEqualTo("after");
    assertThat(stream("s1", Optional.empty(), 3)).hasSize(3);
  }

  @Test
  void aPageThatLacksEventsOfADamagedLogSaysThatMoreMayFollow() {
    for (String text : List.of("0", "1", "2")) {
      store.transact(
          tr ->
              log.appender(tr, TENANT).appendOfTask("s1", "t1", Long.parseLong(text), bytes(text)));
    }
    EventKeys keys = new EventKeys(KeyLayout.root());
    EventId damaged = stream("s1", Optional.empty(), 3).get(1).id();
    store.transact(
        tr -> {
          tr.clear(keys.bodyKey(TENANT, "s1", damaged));
          return true;
        });

    EventPage page = store.read(tr -> log.readTask(tr, TENANT, "s1", "t1", 0, 2, 1 << 20));
    assertThat(bodies(page.events())).containsExactly("0");
    assertThat(page.cut()).isTrue();
    EventPage last = store.read(tr -> log.readTask(tr, TENANT, "s1", "t1", 2, 2, 1 << 20));
    assertThat(bodies(last.events())).containsExactly("2");
    assertThat(last.cut()).isFalse();
  }

  @Test
  void aTasksEventsAreFoundBySequence() {
    store.transact(
        tr -> {
          EventAppender appender = log.appender(tr, TENANT);
          appender.appendOfTask("s1", "t1", 0, bytes("t1-0"));
          appender.appendOfTask("s1", "t2", 0, bytes("t2-0"));
          return appender.appendOfTask("s1", "t1", 1, bytes("t1-1"));
        });

    assertThat(bodies(store.read(tr -> log.readTask(tr, TENANT, "s1", "t1", 0, 10))))
        .containsExactly("t1-0", "t1-1");
    assertThat(bodies(store.read(tr -> log.readTask(tr, TENANT, "s1", "t1", 1, 10))))
        .containsExactly("t1-1");
  }

  @Test
  void theFeedsOfAllPartitionsTogetherHoldEveryEventOnceInOneOrder() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < 8; w++) {
        int writer = w;
        writers.add(
            threads.submit(
                () -> IntStream.range(0, 50).forEach(i -> append("s" + writer, writer + "-" + i))));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
    }

    List<EventId> ids = new ArrayList<>();
    for (int partition = 0; partition < log.partitions(); partition++) {
      int at = partition;
      List<FeedEntry> feed = store.read(tr -> log.readFeed(tr, TENANT, at, Optional.empty(), 1000));
      assertThat(feed.stream().map(FeedEntry::id).toList()).isSorted();
      feed.forEach(entry -> ids.add(entry.id()));
    }
    assertThat(ids).hasSize(400).doesNotHaveDuplicates();
    for (int w = 0; w < 8; w++) {
      int writer = w;
      assertThat(bodies(stream("s" + writer, Optional.empty(), 100)))
          .isEqualTo(IntStream.range(0, 50).mapToObj(i -> writer + "-" + i).toList());
    }
  }

  @Test
  void whatCommitsAfterAnEraWasRaisedSortsAfterEverythingBefore() {
    append("s1", "old");
    store.transact(
        tr -> {
          log.raiseEra(tr, TENANT, 5);
          return true;
        });
    append("s1", "new");

    List<StoredEvent> all = stream("s1", Optional.empty(), 10);
    assertThat(bodies(all)).containsExactly("old", "new");
    assertThat(all.get(1).id().era()).isEqualTo(5);
    assertThatThrownBy(
            () ->
                store.transact(
                    tr -> {
                      log.raiseEra(tr, TENANT, 65_536);
                      return true;
                    }))
        .hasMessageContaining("65,535");
  }

  @Test
  void anAppendConflictsWithTheRaisingOfItsEra() {
    AtomicCounter attempts = new AtomicCounter();
    store.transact(
        tr -> {
          EventAppender appender = log.appender(tr, TENANT);
          if (attempts.next() == 1) {
            store.transact(
                other -> {
                  log.raiseEra(other, TENANT, 3);
                  return true;
                });
          }
          return appender.append("s1", bytes("a"));
        });

    assertThat(attempts.count()).isEqualTo(2);
    assertThat(stream("s1", Optional.empty(), 1).get(0).id().era()).isEqualTo(3);
  }

  @Test
  void concurrentAppendsToOneStreamDoNotConflict() {
    AtomicCounter attempts = new AtomicCounter();
    store.transact(
        tr -> {
          EventAppender appender = log.appender(tr, TENANT);
          if (attempts.next() == 1) {
            append("s1", "between");
          }
          return appender.append("s1", bytes("a"));
        });

    assertThat(attempts.count()).isEqualTo(1);
    assertThat(stream("s1", Optional.empty(), 10)).hasSize(2);
  }

  @Test
  void sequencesOfAResourceAreDenseHoweverManyTakeThem() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Long> taken = new ArrayList<>();
    try {
      List<Future<Long>> takers = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        takers.add(
            threads.submit(
                () -> store.transact(tr -> log.takeSequence(tr, TENANT, "session", "s1"))));
      }
      for (Future<Long> taker : takers) {
        taken.add(get(taker));
      }
    } finally {
      threads.shutdown();
    }

    assertThat(taken)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 60).mapToObj(Long::valueOf).toList());
  }

  @Test
  void anIdFromTheFutureOrOfAnotherEraIsNoneOfThisLog() {
    append("s1", "a");
    EventId given = stream("s1", Optional.empty(), 1).get(0).id();

    assertThat(store.<Boolean>read(tr -> log.mayExist(tr, TENANT, given))).isTrue();
    EventId later = EventId.lastOf(0, Long.MAX_VALUE - 1);
    assertThat(store.<Boolean>read(tr -> log.mayExist(tr, TENANT, later))).isFalse();
    EventId otherEra = EventId.of(1, new byte[10], 0, 0);
    assertThat(store.<Boolean>read(tr -> log.mayExist(tr, TENANT, otherEra))).isFalse();
  }

  private static long get(Future<Long> future) throws InterruptedException, ExecutionException {
    return future.get();
  }

  private void append(String stream, String... texts) {
    store.transact(
        tr -> {
          EventAppender appender = log.appender(tr, TENANT);
          for (String text : texts) {
            appender.append(stream, bytes(text));
          }
          appender.finish();
          return true;
        });
  }

  private <T> T read(Function<ReadTransaction, T> work) {
    return store.read(work);
  }

  private void append(Consumer<Transaction> work) {
    store.transact(
        tr -> {
          work.accept(tr);
          return true;
        });
  }

  private List<StoredEvent> stream(String stream, Optional<EventId> after, int limit) {
    return store.read(tr -> log.readStream(tr, TENANT, stream, after, limit));
  }

  private static List<String> bodies(List<StoredEvent> events) {
    return events.stream().map(event -> text(event.body())).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Counts the attempts of a transaction. */
  private static final class AtomicCounter {
    private int count;

    int next() {
      return ++count;
    }

    int count() {
      return count;
    }
  }
}
