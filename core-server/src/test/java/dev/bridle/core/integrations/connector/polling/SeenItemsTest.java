package dev.bridle.core.integrations.connector.polling;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeenItemsTest {
  private static final SeenItems NONE = SeenItems.of(ByteString.EMPTY);

  @Test
  void whatIsStoredIsReadAgain() {
    List<PolledItem> page = items(0, 3);

    SeenItems read = SeenItems.of(NONE.with(page, page.subList(0, 2)).stored());

    assertThat(page).filteredOn(read::contains).isEqualTo(page.subList(0, 2));
  }

  @Test
  void theSamePageAgainChangesNothing() {
    List<PolledItem> page = items(0, 50);
    SeenItems once = NONE.with(items(40, 80), items(40, 80)).with(page, page);

    assertThat(once.with(page, page).stored()).isEqualTo(once.stored());
  }

  @Test
  void whatIsOnThePageIsNeverForgottenWhileItIsLookedAtInParts() {
    List<PolledItem> old = items(0, SeenItems.MOST);
    SeenItems seen = NONE.with(old, old);
    // The oldest ones that are known, behind as many new ones.
    List<PolledItem> page =
        IntStream.range(0, PolledPage.MOST_ITEMS)
            .mapToObj(i -> item(i < 500 ? 10_000 + i : SeenItems.MOST - 1 - (i - 500)))
            .toList();

    for (int from = 0; from < page.size(); from += 100) {
      List<PolledItem> part = page.subList(from, from + 100);
      assertThat(part).filteredOn(seen::contains).hasSize(from < 500 ? 0 : 100);
      seen = seen.with(page, part);
    }

    assertThat(page).allMatch(seen::contains);
    assertThat(seen.stored().size()).isEqualTo(16 * SeenItems.MOST);
  }

  private static List<PolledItem> items(int from, int to) {
    return IntStream.range(from, to).mapToObj(SeenItemsTest::item).toList();
  }

  private static PolledItem item(int number) {
    return PolledItem.of(Optional.of("item " + number), "{}");
  }
}
