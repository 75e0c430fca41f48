package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A range too large for one transaction is read page by page, each from the last key on. */
public abstract class LargeRangeContract extends StoreSuite {
  private static final int ROWS = 4_000;
  private static final int VALUE_BYTES = 500;

  protected LargeRangeContract(StoreHooks hooks) {
    super(hooks);
  }

  @ParameterizedTest(name = "pages of {0}")
  @ValueSource(ints = {1_500, 333})
  void everyRowComesOnceAndInOrderHoweverThePagesFall(int page) {
    store(ROWS);
    assertThat(scan(page, false)).containsExactlyElementsOf(numbers(false));
    assertThat(scan(page, true)).containsExactlyElementsOf(numbers(true));
  }

  @Test
  void onePageMayHoldMoreThanOneAnswerOfTheEngine() {
    store(ROWS);
    List<KeyValue> all = store().read(tr -> tr.getRange(everything(), ROWS + 1));
    assertThat(all).hasSize(ROWS).allMatch(pair -> pair.value().length == VALUE_BYTES);
  }

  @Test
  void whatIsWrittenBehindTheContinuationIsNotSeenAndWhatIsWrittenBeforeItIs() {
    store(100);
    List<KeyValue> first = store().read(tr -> tr.getRange(everything(), 50));
    store()
        .transact(
            tr -> {
              tr.set(key(-1), bytes("behind"));
              tr.set(key(100), bytes("ahead"));
              tr.clear(key(99));
              return true;
            });
    KeyRange rest = everything().after(first.get(49).key(), false);
    List<Long> second = store().read(tr -> tr.getRange(rest, 100)).stream().map(this::of).toList();
    assertThat(second).hasSize(50).startsWith(50L).endsWith(98L, 100L);
  }

  private List<Long> scan(int page, boolean reverse) {
    List<Long> seen = new ArrayList<>();
    KeyRange rest = everything();
    while (true) {
      KeyRange from = rest;
      List<KeyValue> rows = store().read(tr -> tr.getRange(from, page, reverse));
      rows.forEach(row -> seen.add(of(row)));
      if (rows.size() < page) {
        return seen;
      }
      rest = rest.after(rows.get(page - 1).key(), reverse);
    }
  }

  private void store(int rows) {
    for (int from = 0; from < rows; from += 1_000) {
      int first = from;
      store()
          .transact(
              tr -> {
                for (int i = first; i < Math.min(first + 1_000, rows); i++) {
                  tr.set(key(i), new byte[VALUE_BYTES]);
                }
                return true;
              });
    }
  }

  private long of(KeyValue row) {
    Tuple key = Tuple.fromBytes(row.key());
    return key.getLong(key.size() - 1);
  }

  private static List<Long> numbers(boolean reverse) {
    return IntStream.range(0, ROWS).mapToLong(i -> reverse ? ROWS - 1 - i : i).boxed().toList();
  }
}
