package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MailboxTest {
  private static final String TENANT = "acme";
  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private LayerStore open;
  private KeyValueStore store;
  private Mailbox mailbox;

  @BeforeEach
  void openStore() {
    open = new LayerStore();
    store = open.store();
    mailbox = new Mailbox(KeyLayout.root());
  }

  @AfterEach
  void closeStore() {
    open.close();
  }

  @Test
  void itemsOfAFolderAreInTheOrderInWhichTheyCame() {
    put("ada", "c", FIRST, 0);
    put("ada", "a", FIRST, 0);
    put("ada", "b", FIRST, 0);
    put("ben", "d", FIRST, 0);

    assertThat(items("ada", FIRST)).containsExactly("c", "a", "b");
    assertThat(items("ben", FIRST)).containsExactly("d");
    assertThat(items("ada", SECOND)).isEmpty();
  }

  @Test
  void anItemThatIsPutElsewhereLeavesItsFolderAndStandsLast() {
    put("ada", "a", FIRST, 0);
    put("ada", "b", SECOND, 0);
    put("ada", "a", SECOND, 0);

    assertThat(items("ada", FIRST)).isEmpty();
    assertThat(items("ada", SECOND)).containsExactly("b", "a");
    assertThat(place("ada", "a").map(Mailbox.Place::folder)).contains(SECOND);
  }

  @Test
  void anItemOfALaterEraStandsBehindThoseOfEarlierOnes() {
    put("ada", "late", FIRST, 3);
    put("ada", "early", FIRST, 2);

    assertThat(items("ada", FIRST)).containsExactly("early", "late");
  }

  @Test
  void aRemovedItemLeavesNothingBehindAndIsRemovedOnce() {
    put("ada", "a", FIRST, 0);
    remove("ada", "a");
    remove("ada", "a");

    assertThat(items("ada", FIRST)).isEmpty();
    assertThat(place("ada", "a")).isEmpty();
  }

  @Test
  void aPageContinuesAfterTheLastItemOfTheOneBefore() {
    for (int i = 0; i < 5; i++) {
      put("ada", "item-" + i, FIRST, 0);
    }
    List<Mailbox.Entry> page = page(Optional.empty());
    List<Mailbox.Entry> next = page(Optional.of(page.get(1).position()));

    assertThat(page).extracting(Mailbox.Entry::item).containsExactly("item-0", "item-1");
    assertThat(next).extracting(Mailbox.Entry::item).containsExactly("item-2", "item-3");
    assertThat(store.<Integer>read(tr -> mailbox.count(tr, TENANT, "ada", FIRST, 4))).isEqualTo(4);
  }

  @Test
  void theRowAtAPlaceHoldsTheItem() {
    put("ada", "a", FIRST, 7);
    Mailbox.Place place = place("ada", "a").orElseThrow();

    Optional<String> item = store.read(tr -> mailbox.itemAt(tr, TENANT, "ada", place));

    assertThat(item).contains("a");
    assertThat(place.position().era()).isEqualTo(7);
  }

  @Test
  void eachChangeWakesWhoeverWaitsForTheOwner() throws Exception {
    WakeKeys wakes = new WakeKeys(KeyLayout.root());
    var watch = store.transact(tr -> wakes.watch(tr, wakes.ofMailbox(TENANT, "ada")));
    put("ada", "a", FIRST, 0);

    assertThat(watch.get(60, TimeUnit.SECONDS)).isNull();
  }

  private void put(String owner, String item, int folder, int era) {
    store.transact(
        tr -> {
          mailbox.put(tr, TENANT, owner, item, folder, new PendingEventId(era, 0, 0));
          return true;
        });
  }

  private void remove(String owner, String item) {
    store.transact(
        tr -> {
          mailbox.remove(tr, TENANT, owner, item);
          return true;
        });
  }

  private Optional<Mailbox.Place> place(String owner, String item) {
    return store.read(tr -> mailbox.place(tr, TENANT, owner, item));
  }

  private List<Mailbox.Entry> page(Optional<LogPosition> after) {
    return store.read(tr -> mailbox.page(tr, TENANT, "ada", FIRST, after, 2));
  }

  private List<String> items(String owner, int folder) {
    return store.read(tr -> mailbox.page(tr, TENANT, owner, folder, Optional.empty(), 100)).stream()
        .map(Mailbox.Entry::item)
        .toList();
  }
}
