package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Additions are applied at commit, to whatever is stored then, and never conflict. */
public abstract class AtomicAddContract extends StoreSuite {

  protected AtomicAddContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void anAbsentNumberIsZeroAndTheResultIsLittleEndian() {
    add("a", 258);
    byte[] value = store().read(tr -> tr.get(key("a")).orElseThrow());
    assertThat(value).containsExactly(2, 1, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void sumsWrapAround() {
    add("a", Long.MAX_VALUE);
    add("a", 1);
    assertThat(count("a")).contains(Long.MIN_VALUE);
  }

  @Test
  void aShorterValueIsFilledUpWithZeros() {
    store()
        .transact(
            tr -> {
              tr.set(key("a"), new byte[] {5});
              return null;
            });
    add("a", 2);
    assertThat(count("a")).contains(7L);
  }

  @Test
  void twoThatAddDoNotConflict() {
    try (Transaction one = begin();
        Transaction two = begin()) {
      one.readVersion();
      two.readVersion();
      one.add(key("a"), 1);
      two.add(key("a"), 2);
      one.commit();
      two.commit();
    }
    assertThat(count("a")).contains(3L);
  }

  @Test
  void anAdditionConflictsWithWhoeverReadTheNumber() {
    try (Transaction tr = begin()) {
      tr.get(key("a"));
      add("a", 1);
      tr.set(key("b"), bytes("x"));
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void readingOnesOwnAdditionConflictsWithOthers() {
    try (Transaction tr = begin()) {
      tr.add(key("a"), 1);
      tr.get(key("a"));
      add("a", 10);
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(count("a")).contains(10L);
  }

  @Test
  void additionsSetsAndClearsOfOneTransactionKeepTheirOrder() {
    add("a", 100);
    try (Transaction tr = begin()) {
      tr.add(key("a"), 1);
      tr.clear(everything());
      tr.add(key("a"), 2);
      tr.add(key("b"), 3);
      tr.clear(key("b"));
      tr.add(key("b"), 4);
      tr.commit();
    }
    assertThat(count("a")).contains(2L);
    assertThat(count("b")).contains(4L);
  }

  private void add(String name, long delta) {
    store()
        .transact(
            tr -> {
              tr.add(key(name), delta);
              return null;
            });
  }

  private Optional<Long> count(String name) {
    return store().read(tr -> tr.get(key(name)).map(StoreSuite::number));
  }
}
