package dev.bridle.core.kernel.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.TenantData;
import dev.bridle.worker.v1.WorkerBinding;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of a configuration is always what a transaction would have read. */
class ConfigurationTest {
  private static final String TENANT = "acme";
  private static final RecordDef<WorkerRecord> KIND =
      RecordDef.of(12, "worker", WorkerRecord.parser())
          .id(WorkerRecord::getAgentId)
          .listed()
          .configuration()
          .build();
  private static final RecordDef<WorkerRecord> OTHER =
      RecordDef.of(13, "thing", WorkerRecord.parser()).id(WorkerRecord::getAgentId).build();

  private final InMemoryStore beneath = InMemoryStore.open();
  private final CountingStore store = new CountingStore(beneath);
  private final KeyLayout layout = KeyLayout.root();
  private final EventLog log = EventLog.open(store, layout);
  private final RecordStore<WorkerRecord> records = KIND.store(layout);
  private final Configurations one = new Configurations(layout);
  private final Configurations another = new Configurations(layout);

  @AfterEach
  void close() {
    beneath.close();
  }

  @Test
  void whatWasReadIsReadAgainForThePriceOfTheVersion() {
    insert(agent("a", 1));
    assertThat(listed(one)).containsExactly(agent("a", 1));
    assertThat(found(one, "a")).contains(agent("a", 1));
    assertThat(found(one, "none")).isEmpty();
    long before = store.cost().reads();

    assertThat(listed(one)).containsExactly(agent("a", 1));
    assertThat(found(one, "a")).contains(agent("a", 1));
    assertThat(found(one, "none")).isEmpty();

    assertThat(store.cost().reads() - before).isEqualTo(3);
  }

  @Test
  void eachKindOfChangeIsSeenByTheNextTransactionOfEveryProcess() {
    insert(agent("a", 1));
    bothSee(agent("a", 1));
    store.transact(tr -> update(tr, agent("a", 1), agent("a", 2)));
    bothSee(agent("a", 2));
    insert(agent("b", 1));
    bothSee(agent("a", 2), agent("b", 1));
    store.transact(
        tr -> {
          records.remove(tr, TENANT, "a");
          return true;
        });
    bothSee(agent("b", 1));
  }

  @Test
  void aTransactionDoesNotCommitOnAConfigurationThatHasChanged() {
    insert(agent("a", 1));
    listed(one);
    Transaction reading = store.begin(TransactionOptions.DEFAULT);
    one.of(reading, TENANT).listed(KIND, RecordDef.ALL, 10);
    store.transact(tr -> update(tr, agent("a", 1), agent("a", 2)));
    reading.set(new byte[] {1}, new byte[] {1});

    assertThatThrownBy(reading::commit)
        .isInstanceOfSatisfying(
            StoreException.class,
            refused -> assertThat(refused.code()).isEqualTo(StoreException.Code.CONFLICT));
  }

  @Test
  void aTenantThatIsMadeAgainHasNothingOfTheEarlierOne() {
    insert(agent("a", 1));
    bothSee(agent("a", 1));
    clearTheTenant();
    bothSee();
    insert(agent("b", 1));
    bothSee(agent("b", 1));
  }

  @Test
  void recordsOfAnEarlierReleaseWithoutAVersionAreReadEachTime() {
    RecordStore<WorkerRecord> earlier =
        RecordDef.of(12, "worker", WorkerRecord.parser()).build().store(layout);
    change(tr -> earlier.insert(tr, TENANT, "a", agent("a", 1)));
    assertThat(found(one, "a")).contains(agent("a", 1));
    change(tr -> earlier.update(tr, TENANT, "a", agent("a", 1), agent("a", 2)));

    assertThat(found(one, "a")).contains(agent("a", 2));
  }

  @Test
  void aTransactionThatChangesConfigurationReadsItWithoutTheVersion() {
    insert(agent("a", 1));
    List<WorkerRecord> seen =
        store.transact(
            tr -> {
              update(tr, agent("a", 1), agent("a", 2));
              return Configurations.unremembered(layout, tr, TENANT)
                  .listed(KIND, RecordDef.ALL, 10);
            });

    assertThat(seen).containsExactly(agent("a", 2));
  }

  @Test
  void kindsThatAreNoConfigurationAreRefused() {
    assertThatThrownBy(() -> store.read(tr -> one.of(tr, TENANT).find(OTHER, "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("thing");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void twoProcessesAlwaysReadWhatIsStored(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 400; step++) {
      String id = "agent-" + random.nextInt(6);
      Optional<WorkerRecord> before = store.read(tr -> records.get(tr, TENANT, id));
      int what = random.nextInt(20);
      if (what == 0) {
        clearTheTenant();
      } else if (what < 5 && before.isEmpty()) {
        insert(agent(id, step));
      } else if (what < 5) {
        int now = step;
        store.transact(tr -> update(tr, before.get(), agent(id, now)));
      } else {
        Configurations process = random.nextBoolean() ? one : another;
        assertThat(found(process, id)).isEqualTo(before);
        assertThat(listed(process))
            .isEqualTo(
                store.read(
                    tr ->
                        Configurations.unremembered(layout, tr, TENANT)
                            .listed(KIND, RecordDef.ALL, 10)));
      }
    }
  }

  private void bothSee(WorkerRecord... agents) {
    for (Configurations process : List.of(one, another)) {
      assertThat(listed(process)).containsExactly(agents);
      for (WorkerRecord agent : agents) {
        assertThat(found(process, agent.getAgentId())).contains(agent);
      }
    }
  }

  private List<WorkerRecord> listed(Configurations process) {
    return store.read(tr -> process.of(tr, TENANT).listed(KIND, RecordDef.ALL, 10));
  }

  private Optional<WorkerRecord> found(Configurations process, String id) {
    return store.read(tr -> process.of(tr, TENANT).find(KIND, id));
  }

  private void insert(WorkerRecord agent) {
    change(
        tr -> {
          records.insert(tr, TENANT, agent.getAgentId(), agent);
          var appender = log.appender(tr, TENANT);
          KIND.index(records, tr, TENANT, agent, appender.order());
          appender.finish();
        });
  }

  private boolean update(Transaction tr, WorkerRecord before, WorkerRecord after) {
    records.update(tr, TENANT, before.getAgentId(), before, after);
    return true;
  }

  private void clearTheTenant() {
    change(tr -> new TenantData(layout).clear(tr, TENANT));
  }

  private void change(Consumer<Transaction> change) {
    store.transact(
        tr -> {
          change.accept(tr);
          return true;
        });
  }

  private static WorkerRecord agent(String id, int bindings) {
    return WorkerRecord.newBuilder()
        .setAgentId(id)
        .addAllBindings(
            IntStream.range(0, bindings % 3)
                .mapToObj(
                    n -> WorkerBinding.newBuilder().setWorkspaceId(bindings + "-" + n).build())
                .toList())
        .build();
  }
}
