package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A stamped key or value gets the commit's place in the order of all commits. */
public abstract class VersionstampContract extends StoreSuite {
  /** A placeholder that is the whole value, followed by its offset 0. */
  private static final byte[] STAMP_ONLY = new byte[StoreLimits.VERSIONSTAMP_BYTES + Integer.BYTES];

  protected VersionstampContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void keysValuesAndTheFutureCarryTheSameStamp() {
    byte[] stamp;
    try (Transaction tr = begin()) {
      tr.setVersionstampedKey(stampedKey("log"), bytes("entry"));
      tr.setVersionstampedValue(key("last"), STAMP_ONLY);
      CompletableFuture<byte[]> future = tr.versionstamp();
      assertThat(future).isNotDone();
      tr.commit();
      stamp = future.join();
    }
    assertThat(stamp).hasSize(StoreLimits.VERSIONSTAMP_BYTES);
    assertThat(stamps("log")).containsExactly(stamp);
    byte[] last = store().read(tr -> tr.get(key("last")).orElseThrow());
    assertThat(last).isEqualTo(stamp);
  }

  @Test
  void theStampReplacesThePlaceholderAndNothingElse() {
    byte[] template = bytes("<..........>");
    byte[] withOffset = Arrays.copyOf(template, template.length + Integer.BYTES);
    withOffset[template.length] = 1;
    try (Transaction tr = begin()) {
      tr.setVersionstampedValue(key("a"), withOffset);
      tr.commit();
    }
    byte[] value = store().read(tr -> tr.get(key("a")).orElseThrow());
    assertThat(value).hasSize(template.length).startsWith('<').endsWith('>');
    assertThat(Arrays.copyOfRange(value, 1, 11)).isNotEqualTo(bytes(".........."));
  }

  @Test
  void laterCommitsHaveHigherStamps() {
    for (int i = 0; i < 50; i++) {
      append("log", "" + i);
    }
    List<String> entries =
        store()
            .read(
                tr ->
                    tr.getRange(under("log"), 100).stream()
                        .map(pair -> text(pair.value()))
                        .toList());
    assertThat(entries).hasSize(50);
    for (int i = 0; i < 50; i++) {
      assertThat(entries.get(i)).isEqualTo("" + i);
    }
  }

  @Test
  void stampsOfConcurrentCommitsDifferAndKeepEachThreadsOrder() {
    List<List<byte[]>> byThread =
        Workers.run(
            16,
            thread -> {
              List<byte[]> own = new ArrayList<>();
              for (int i = 0; i < 50; i++) {
                own.add(append("log", thread + "/" + i));
              }
              return own;
            });
    for (List<byte[]> own : byThread) {
      assertThat(own).isSortedAccordingTo(Arrays::compareUnsigned);
    }
    List<byte[]> expected =
        byThread.stream().flatMap(List::stream).sorted(Arrays::compareUnsigned).toList();
    List<byte[]> inLog = stamps("log");
    assertThat(inLog).hasSize(800);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(inLog.get(i)).isEqualTo(expected.get(i));
    }
  }

  @Test
  void readingOnesOwnStampedKeyFails() {
    stored("other", "1");
    try (Transaction tr = begin()) {
      tr.setVersionstampedKey(stampedKey("log"), bytes("x"));
      assertThat(failureOf(() -> tr.getRange(under("log"), 10)))
          .isEqualTo(Code.ACCESSED_UNREADABLE);
      assertThat(failureOf(() -> tr.snapshot().getRange(everything(), 10)))
          .isEqualTo(Code.ACCESSED_UNREADABLE);
      assertThat(get(tr, "other")).contains("1");
    }
  }

  @Test
  void readingOnesOwnStampedValueFailsEvenWhereAnotherIsSetOverIt() {
    try (Transaction tr = begin()) {
      tr.setVersionstampedValue(key("a"), STAMP_ONLY);
      assertThat(failureOf(() -> tr.get(key("a")))).isEqualTo(Code.ACCESSED_UNREADABLE);
      assertThat(failureOf(() -> tr.getRange(everything(), 10)))
          .isEqualTo(Code.ACCESSED_UNREADABLE);
      assertThat(get(tr, "b")).isEmpty();
      put(tr, "a", "over it");
      assertThat(failureOf(() -> tr.get(key("a")))).isEqualTo(Code.ACCESSED_UNREADABLE);
    }
  }

  @Test
  void aTransactionThatTouchedItsOwnStampDoesNotCommit() {
    try (Transaction tr = begin()) {
      tr.setVersionstampedKey(stampedKey("log"), bytes("x"));
      assertThat(failureOf(() -> tr.getRange(under("log"), 10)))
          .isEqualTo(Code.ACCESSED_UNREADABLE);
      assertThat(failureOf(tr::commit)).isEqualTo(Code.ACCESSED_UNREADABLE);
    }
    assertThat(scan(everything())).isEmpty();
  }

  @Test
  void onesOwnStampedValueIsReadableOnceItIsCleared() {
    try (Transaction tr = begin()) {
      tr.setVersionstampedValue(key("a"), STAMP_ONLY);
      tr.clear(key("a"));
      assertThat(get(tr, "a")).isEmpty();
      put(tr, "a", "plain");
      assertThat(get(tr, "a")).contains("plain");
      tr.commit();
    }
    assertThat(now("a")).contains("plain");
  }

  @Test
  void aValueSetOverAStampedOneIsWhatIsStored() {
    try (Transaction tr = begin()) {
      tr.setVersionstampedValue(key("a"), STAMP_ONLY);
      put(tr, "a", "over it");
      tr.commit();
    }
    assertThat(now("a")).contains("over it");
  }

  @Test
  void aStampedKeyConflictsWithWhoeverReadItsRange() {
    try (Transaction tr = begin()) {
      tr.getRange(under("log"), 10);
      append("log", "theirs");
      put(tr, "a", "mine");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void appendingToOneLogDoesNotConflict() {
    try (Transaction one = begin();
        Transaction two = begin()) {
      one.readVersion();
      two.readVersion();
      one.setVersionstampedKey(stampedKey("log"), bytes("1"));
      two.setVersionstampedKey(stampedKey("log"), bytes("2"));
      one.commit();
      two.commit();
    }
    assertThat(stamps("log")).hasSize(2);
  }

  @Test
  void aTransactionThatWroteNothingOrFailedHasNoStamp() {
    CompletableFuture<byte[]> nothing;
    CompletableFuture<byte[]> conflicting;
    try (Transaction tr = begin()) {
      nothing = tr.versionstamp();
      tr.commit();
    }
    try (Transaction tr = begin()) {
      get(tr, "a");
      stored("a", "1");
      put(tr, "b", "1");
      conflicting = tr.versionstamp();
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(nothing).isCompletedExceptionally();
    assertThat(conflicting).isCompletedExceptionally();
  }

  @Test
  void anOffsetBeyondTheKeyOrValueIsRefused() {
    byte[] badOffset = STAMP_ONLY.clone();
    badOffset[StoreLimits.VERSIONSTAMP_BYTES] = 1;
    try (Transaction tr = begin()) {
      assertThat(failureOf(() -> tr.setVersionstampedValue(key("a"), badOffset)))
          .isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.setVersionstampedKey(badOffset, bytes("x"))))
          .isEqualTo(Code.INVALID_OPERATION);
    }
  }

  private byte[] append(String log, String entry) {
    try (Transaction tr = begin()) {
      tr.setVersionstampedKey(stampedKey(log), bytes(entry));
      CompletableFuture<byte[]> stamp = tr.versionstamp();
      tr.commit();
      return stamp.join();
    }
  }

  private List<byte[]> stamps(String log) {
    KeyRange range = under(log);
    return store().read(tr -> tr.getRange(range, 1000)).stream()
        .map(KeyValue::key)
        .map(Tuple::fromBytes)
        .map(tuple -> tuple.getVersionstamp(tuple.size() - 1))
        .map(stamp -> Arrays.copyOf(stamp.getBytes(), StoreLimits.VERSIONSTAMP_BYTES))
        .toList();
  }
}
