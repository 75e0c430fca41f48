package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** All writes of a transaction are applied, in their order, or none. */
public abstract class AtomicityContract extends StoreSuite {

  protected AtomicityContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void whatWasNotCommittedLeavesNothing() {
    try (Transaction tr = begin()) {
      put(tr, "a", "1");
    }
    assertThat(all()).isEmpty();
  }

  @Test
  void workThatThrowsWritesNothing() {
    assertThatThrownBy(
            () ->
                store()
                    .transact(
                        tr -> {
                          put(tr, "a", "1");
                          throw new IllegalStateException("from the work");
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("from the work");
    assertThat(all()).isEmpty();
  }

  @Test
  void aConflictingTransactionWritesNothing() {
    try (Transaction tr = begin()) {
      get(tr, "a");
      put(tr, "b", "mine");
      put(tr, "c", "mine");
      stored("a", "theirs");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(all()).containsExactly("a=theirs");
  }

  @Test
  void theLastWriteToAKeyWins() {
    stored("a", "1", "a", "2");
    try (Transaction tr = begin()) {
      put(tr, "b", "1");
      tr.clear(key("b"));
      tr.clear(key("c"));
      put(tr, "c", "1");
      tr.commit();
    }
    assertThat(all()).containsExactly("a=2", "c=1");
  }

  @Test
  void aRangeClearRemovesEarlierWritesAndNotLaterOnes() {
    stored("a", "old", "b", "old", "c", "old", "d", "old");
    try (Transaction tr = begin()) {
      put(tr, "bb", "before");
      tr.clear(range("b", "d"));
      put(tr, "c", "after");
      tr.commit();
    }
    assertThat(all()).containsExactly("a=old", "c=after", "d=old");
  }

  @Test
  void aRangeClearRemovesThousandsOfKeysAndKeepsTheNeighbours() {
    store()
        .transact(
            tr -> {
              for (int i = 0; i < 2_000; i++) {
                tr.set(key(i), bytes("x"));
              }
              return null;
            });
    try (Transaction tr = begin()) {
      tr.clear(new KeyRange(key(1), key(1_999)));
      tr.set(key(700), bytes("y"));
      tr.commit();
    }
    try (Transaction tr = begin()) {
      assertThat(tr.getRange(everything(), 10))
          .extracting(pair -> text(pair.value()))
          .containsExactly("x", "y", "x");
    }
  }

  @Test
  void aReaderSeesBothHalvesOfACommitOrNeither() {
    AtomicBoolean done = new AtomicBoolean();
    Workers.run(
        4,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 300; i++) {
              stored("left", "" + i, "right", "" + i);
            }
            done.set(true);
          }
          while (!done.get()) {
            Optional<Boolean> same =
                store().read(tr -> Optional.of(get(tr, "left").equals(get(tr, "right"))));
            assertThat(same).contains(true);
          }
          return thread;
        });
    assertThat(all()).containsExactly("left=299", "right=299");
  }
}
