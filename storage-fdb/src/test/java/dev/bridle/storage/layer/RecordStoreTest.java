package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.bridle.storage.KeyValueStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RecordStoreTest {
  private static final String TENANT = "acme";
  private LayerStore open;
  private KeyValueStore store;
  private EventLog log;
  private RecordStore<StringValue> records;

  @BeforeEach
  void openStore() {
    open = new LayerStore();
    store = open.store();
    log = EventLog.open(store, KeyLayout.root());
    records = new RecordStore<>(KeyLayout.root(), new RecordType<>(99, StringValue.parser()));
  }

  @AfterEach
  void closeStore() {
    open.close();
  }

  @Test
  void aRecordOfAnySizeReadsBackAndShrinksAgain() {
    StringValue large = StringValue.of("x".repeat(1_000_000));
    StringValue small = StringValue.of("y");
    StringValue middle = StringValue.of("z".repeat(200_000));
    insert("a", large);
    update("a", large, middle);
    assertThat(get("a")).contains(middle);
    update("a", middle, small);

    assertThat(get("a")).contains(small);
    insert("b", large);
    assertThat(get("b")).contains(large);
    List<StringValue> all = store.read(tr -> records.getAll(tr, TENANT, List.of("b", "none", "a")));
    assertThat(all).containsExactly(large, small);
  }

  @Test
  void anIndexIsPagedInBothDirectionsWithoutGapsWhileRowsCome() {
    for (int i = 0; i < 7; i++) {
      insert("r" + i, StringValue.of(""));
    }

    assertThat(pages(false)).containsExactly("r0", "r1", "r2", "r3", "r4", "r5", "r6");
    assertThat(pages(true)).containsExactly("r6", "r5", "r4", "r3", "r2", "r1", "r0");

    List<IndexRow> first = page(Optional.empty(), true);
    insert("r7", StringValue.of(""));
    List<IndexRow> second = page(Optional.of(first.get(first.size() - 1).position()), true);
    assertThat(second.stream().map(IndexRow::id)).containsExactly("r3", "r2", "r1");
  }

  private List<String> pages(boolean newestFirst) {
    List<String> ids = new ArrayList<>();
    List<IndexRow> rows = page(Optional.empty(), newestFirst);
    while (!rows.isEmpty()) {
      rows.forEach(row -> ids.add(row.id()));
      rows = page(Optional.of(rows.get(rows.size() - 1).position()), newestFirst);
    }
    return ids;
  }

  private List<IndexRow> page(Optional<byte[]> after, boolean newestFirst) {
    return store.read(tr -> records.page(tr, TENANT, 1, "v", after, 3, newestFirst));
  }

  private void insert(String id, StringValue record) {
    store.transact(
        tr -> {
          records.insert(tr, TENANT, id, record);
          records.index(tr, TENANT, 1, "v", log.appender(tr, TENANT).order(), id);
          return true;
        });
  }

  private void update(String id, StringValue before, StringValue after) {
    store.transact(
        tr -> {
          records.update(tr, TENANT, id, before, after);
          return true;
        });
  }

  private Optional<StringValue> get(String id) {
    return store.read(tr -> records.get(tr, TENANT, id));
  }
}
