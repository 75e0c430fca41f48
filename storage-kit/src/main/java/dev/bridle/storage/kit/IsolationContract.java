package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import org.junit.jupiter.api.Test;

/** Transactions behave as if they ran one after another, in the order of their commits. */
public abstract class IsolationContract extends StoreSuite {

  protected IsolationContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void anUpdateOfWhatAnotherHasUpdatedSinceConflicts() {
    stored("a", "1");
    try (Transaction tr = begin()) {
      get(tr, "a");
      stored("a", "2");
      put(tr, "a", "3");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(now("a")).contains("2");
  }

  @Test
  void ofTwoThatEachReadWhatTheOtherWritesOneConflicts() {
    stored("a", "1", "b", "1");
    try (Transaction one = begin();
        Transaction two = begin()) {
      get(one, "a");
      get(two, "b");
      put(one, "b", "0");
      put(two, "a", "0");
      one.commit();
      assertThat(failureOf(two::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(all()).containsExactly("a=1", "b=0");
  }

  @Test
  void aKeyThatAppearsInARangeThatWasReadConflicts() {
    stored("a", "1", "c", "1");
    try (Transaction tr = begin()) {
      list(tr, everything(), 10, false);
      stored("b", "1");
      put(tr, "sum", "2");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void aKeyThatAppearsWhereNoneWasFoundConflicts() {
    try (Transaction tr = begin()) {
      assertThat(get(tr, "a")).isEmpty();
      stored("a", "theirs");
      put(tr, "b", "mine");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void aRangeClearConflictsWithWhoeverReadAKeyOfIt() {
    stored("b", "1");
    try (Transaction tr = begin()) {
      get(tr, "b");
      store()
          .transact(
              other -> {
                other.clear(range("a", "c"));
                return null;
              });
      put(tr, "x", "1");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void aScanThatStoppedAtItsLimitConflictsOnlyWithWhatItSaw() {
    stored("a", "1", "b", "1", "c", "1", "d", "1");
    try (Transaction forward = begin();
        Transaction backward = begin();
        Transaction meets = begin()) {
      list(forward, range("a", "e"), 2, false);
      list(backward, range("a", "e"), 1, true);
      list(meets, range("a", "e"), 3, false);
      stored("c", "2");
      put(forward, "x", "1");
      put(backward, "y", "1");
      put(meets, "z", "1");
      assertThatCode(forward::commit).doesNotThrowAnyException();
      assertThatCode(backward::commit).doesNotThrowAnyException();
      assertThat(failureOf(meets::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void blindWritesToOneKeyDoNotConflict() {
    try (Transaction one = begin();
        Transaction two = begin()) {
      one.readVersion();
      two.readVersion();
      put(one, "a", "1");
      put(two, "a", "2");
      one.commit();
      two.commit();
    }
    assertThat(now("a")).contains("2");
  }

  @Test
  void snapshotReadsDoNotConflict() {
    stored("a", "1");
    try (Transaction tr = begin()) {
      get(tr.snapshot(), "a");
      list(tr.snapshot(), everything(), 10, false);
      stored("a", "2");
      put(tr, "b", "1");
      tr.commit();
    }
    assertThat(all()).containsExactly("a=2", "b=1");
  }

  @Test
  void anAddedReadConflictActsLikeARead() {
    try (Transaction tr = begin()) {
      tr.addReadConflict(KeyRange.single(key("a")));
      stored("a", "2");
      put(tr, "b", "1");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void anAddedWriteConflictActsLikeAWrite() {
    try (Transaction reader = begin();
        Transaction writer = begin()) {
      get(reader, "a");
      writer.addWriteConflict(KeyRange.single(key("a")));
      writer.commit();
      put(reader, "b", "1");
      assertThat(failureOf(reader::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(all()).isEmpty();
  }

  @Test
  void aTransactionThatOnlyReadsAlwaysCommits() {
    try (Transaction tr = begin()) {
      get(tr, "a");
      stored("a", "1");
      assertThatCode(tr::commit).doesNotThrowAnyException();
    }
  }

  @Test
  void allReadsOfATransactionSeeOneVersion() {
    stored("a", "1", "b", "1");
    try (Transaction tr = begin()) {
      assertThat(get(tr, "a")).contains("1");
      long version = tr.readVersion();
      stored("a", "2", "b", "2", "c", "2");
      assertThat(get(tr, "b")).contains("1");
      assertThat(list(tr, everything(), 10, false)).containsExactly("a=1", "b=1");
      assertThat(tr.readVersion()).isEqualTo(version);
    }
  }

  @Test
  void whoStartsAfterACommitSeesIt() {
    for (int i = 0; i < 100; i++) {
      stored("a", "" + i);
      assertThat(now("a")).contains("" + i);
    }
  }

  @Test
  void readVersionsGrowWithCommits() {
    long before = version();
    stored("a", "1");
    long after = version();
    assertThat(after).isGreaterThan(before);
  }
}
