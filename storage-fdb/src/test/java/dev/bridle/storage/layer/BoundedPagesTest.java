package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads that end once they have brought so many bytes, and lead to the rest. */
class BoundedPagesTest {
  private static final int VALUE = 250_000;
  private static final long MAX = 3L * VALUE;
  private static final int ROWS = 10;

  private static final String LARGE = "x".repeat(900_000);

  private final LayerStore layer = new LayerStore();

  @AfterEach
  void close() {
    layer.close();
  }

  @Test
  void pagesOfLargeStepsAreShortAndLeadToAllOfThem() {
    StepStore steps = new StepStore(KeyLayout.root());
    for (int row = 0; row < ROWS; row++) {
      String key = "step-" + row;
      layer
          .store()
          .transact(
              tr -> {
                steps.record(tr, "acme", "task_1", key, value(key));
                return key;
              });
    }

    List<String> read = new ArrayList<>();
    boolean more = true;
    String after = "";
    while (more) {
      String from = after;
      StepStore.Page page =
          layer.store().read(tr -> steps.list(tr, "acme", "task_1", from, 100, MAX));
      assertThat(page.records()).hasSizeBetween(1, 3);
      page.records().forEach(record -> read.add(new String(record, 0, 6, StandardCharsets.UTF_8)));
      more = page.more();
      after = read.get(read.size() - 1);
    }

    assertThat(read)
        .containsExactlyElementsOf(
            IntStream.range(0, ROWS).mapToObj(row -> "step-" + row).toList());
    StepStore.Page four =
        layer.store().read(tr -> steps.list(tr, "acme", "task_1", "", 4, Long.MAX_VALUE));
    assertThat(four.records()).hasSize(4);
    assertThat(four.more()).isTrue();
  }

  @Test
  void recordsAreReadUpToABoundAndOneAtLeast() {
    RecordStore<BytesValue> records =
        new RecordStore<>(KeyLayout.root(), new RecordType<>(99, BytesValue.parser()));
    List<String> ids = IntStream.range(0, ROWS).mapToObj(row -> "id-" + row).toList();
    ids.forEach(
        id ->
            layer
                .store()
                .transact(
                    tr -> {
                      records.insert(tr, "acme", id, BytesValue.of(ByteString.copyFrom(value(id))));
                      return id;
                    }));

    RecordStore.Some<BytesValue> some =
        layer.store().read(tr -> records.getSome(tr, "acme", ids, MAX));
    assertThat(some.ids()).isBetween(3, 4);
    assertThat(some.records()).hasSize(some.ids());
    assertThat(layer.store().read(tr -> records.getSome(tr, "acme", ids, 1)).records())
        .isNotEmpty()
        .hasSizeLessThan(3);
    assertThat(layer.store().read(tr -> records.getSome(tr, "acme", ids, Long.MAX_VALUE)).ids())
        .isEqualTo(ROWS);
  }

  @Test
  void eachRecordIsPassedOnThoughTheyAreTooManyToBeHeldAtOnce() {
    RecordStore<BytesValue> records =
        new RecordStore<>(KeyLayout.root(), new RecordType<>(98, BytesValue.parser()));
    List<String> ids = IntStream.range(0, 5).mapToObj(row -> "id-" + row).toList();
    ids.forEach(
        id ->
            layer
                .store()
                .transact(
                    tr -> {
                      records.insert(
                          tr, "acme", id, BytesValue.of(ByteString.copyFromUtf8(id + LARGE)));
                      return id;
                    }));

    List<String> passed = new ArrayList<>();
    List<String> asked = new ArrayList<>(ids);
    asked.add(2, "none");
    layer
        .store()
        .read(
            tr -> {
              records.each(
                  tr,
                  "acme",
                  asked,
                  record -> passed.add(record.getValue().substring(0, 4).toStringUtf8()));
              return passed;
            });
    assertThat(passed).containsExactlyElementsOf(ids);
  }

  private static byte[] value(String name) {
    return (name + "x".repeat(VALUE)).getBytes(StandardCharsets.UTF_8);
  }
}
