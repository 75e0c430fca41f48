package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every engine has the limits of FoundationDB and reports misuse as such. */
public abstract class LimitsContract extends StoreSuite {

  protected LimitsContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void theLongestKeyIsTakenAndALongerOneRefused() {
    byte[] longest = longKey(longestKey());
    byte[] tooLong = longKey(longestKey() + 1);
    try (Transaction tr = begin()) {
      tr.set(longest, bytes("x"));
      assertThat(tr.getRange(KeyRange.single(longest), 1)).hasSize(1);
      assertThat(failureOf(() -> tr.set(tooLong, bytes("x")))).isEqualTo(Code.KEY_TOO_LARGE);
      assertThat(failureOf(() -> tr.get(tooLong))).isEqualTo(Code.KEY_TOO_LARGE);
      assertThat(failureOf(() -> tr.add(tooLong, 1))).isEqualTo(Code.KEY_TOO_LARGE);
      tr.commit();
    }
    assertThat(scan(everything())).hasSize(1);
  }

  @Test
  void theLongestValueIsTakenAndALongerOneRefused() {
    try (Transaction tr = begin()) {
      tr.set(key("a"), new byte[StoreLimits.MAX_VALUE_BYTES]);
      byte[] tooLong = new byte[StoreLimits.MAX_VALUE_BYTES + 1];
      assertThat(failureOf(() -> tr.set(key("b"), tooLong))).isEqualTo(Code.VALUE_TOO_LARGE);
      tr.commit();
    }
    byte[] read = store().read(tr -> tr.get(key("a")).orElseThrow());
    assertThat(read).hasSize(StoreLimits.MAX_VALUE_BYTES);
  }

  @Test
  void aStampedKeyOrValueIsAsLongAsItIsHandedInWithItsOffset() {
    byte[] longest = stampedTo(longestKey());
    byte[] tooLong = stampedTo(longestKey() + 1);
    byte[] value = new byte[StoreLimits.MAX_VALUE_BYTES];
    byte[] tooLongValue = new byte[StoreLimits.MAX_VALUE_BYTES + 1];
    try (Transaction tr = begin()) {
      tr.setVersionstampedKey(longest, bytes("x"));
      assertThat(failureOf(() -> tr.setVersionstampedKey(tooLong, bytes("x"))))
          .isEqualTo(Code.KEY_TOO_LARGE);
      tr.setVersionstampedValue(key("a"), value);
      assertThat(failureOf(() -> tr.setVersionstampedValue(key("b"), tooLongValue)))
          .isEqualTo(Code.VALUE_TOO_LARGE);
      tr.commit();
    }
    assertThat(scan(everything())).hasSize(2);
  }

  /** Returns a key with room for a stamp and its offset, so many bytes in all. */
  private byte[] stampedTo(int length) {
    byte[] start = longKey(length - Integer.BYTES);
    int offset = start.length - StoreLimits.VERSIONSTAMP_BYTES;
    return ByteBuffer.allocate(length)
        .put(start)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(offset)
        .array();
  }

  @Test
  void keysOfTheStoreItselfAreRefused() {
    byte[] reserved = {(byte) 0xFF, 1};
    try (Transaction tr = begin()) {
      assertThat(failureOf(() -> tr.get(reserved))).isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.set(reserved, reserved))).isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.clear(new KeyRange(key("a"), reserved))))
          .isEqualTo(Code.INVALID_OPERATION);
    }
  }

  @Test
  void conflictRangesCountTowardsTheLimit() {
    byte[] begin = longKey(longestKey());
    KeyRange range = new KeyRange(begin, KeyRange.after(begin));
    try (Transaction tr = begin()) {
      assertThat(
              failureOf(
                  () -> {
                    for (int i = 0; i <= StoreLimits.MAX_TRANSACTION_BYTES / longestKey(); i++) {
                      tr.addReadConflict(range);
                    }
                    put(tr, "a", "1");
                    tr.commit();
                  }))
          .isEqualTo(Code.TRANSACTION_TOO_LARGE);
    }
    assertThat(all()).isEmpty();
  }

  @Test
  void aTransactionBeyondTheLimitIsRefusedAndWritesNothing() {
    byte[] value = new byte[StoreLimits.MAX_VALUE_BYTES];
    try (Transaction tr = begin()) {
      assertThat(
              failureOf(
                  () -> {
                    for (int i = 0; i <= 100; i++) {
                      tr.set(key(i), value);
                    }
                    tr.commit();
                  }))
          .isEqualTo(Code.TRANSACTION_TOO_LARGE);
    }
    assertThat(scan(everything())).isEmpty();
  }

  @Test
  void aTransactionBelowTheLimitCommits() {
    byte[] value = new byte[StoreLimits.MAX_VALUE_BYTES];
    try (Transaction tr = begin()) {
      for (int i = 0; i < 98; i++) {
        tr.set(key(i), value);
      }
      tr.commit();
    }
    assertThat(scan(everything())).hasSize(98);
  }

  @Test
  void aCommittedOrClosedTransactionTakesNothingMore() {
    Transaction tr = begin();
    put(tr, "a", "1");
    tr.commit();
    assertThat(failureOf(() -> get(tr, "a"))).isEqualTo(Code.INVALID_OPERATION);
    assertThat(failureOf(() -> put(tr, "a", "2"))).isEqualTo(Code.INVALID_OPERATION);
    assertThat(failureOf(tr::commit)).isEqualTo(Code.INVALID_OPERATION);
    assertThat(failureOf(tr::versionstamp)).isEqualTo(Code.INVALID_OPERATION);
    assertThat(tr.getAsync(key("a"))).isCompletedExceptionally();
    tr.close();
    assertThat(failureOf(() -> tr.snapshot().get(key("a")))).isEqualTo(Code.INVALID_OPERATION);
  }

  @Test
  void aRangeThatEndsBeforeItBeginsAndALimitOfNothingAreRefused() {
    try (Transaction tr = begin()) {
      assertThat(failureOf(() -> tr.getRange(range("b", "a"), 1)))
          .isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.clear(range("b", "a")))).isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.getRange(everything(), 0))).isEqualTo(Code.INVALID_OPERATION);
    }
  }

  @Test
  @Tag("slow")
  void aTransactionOlderThanTheLimitCanNeitherReadNorCommit() {
    try (Transaction reader = begin();
        Transaction writer = begin()) {
      get(reader, "a");
      get(writer, "a");
      put(writer, "b", "1");
      await()
          .pollInterval(Duration.ofMillis(250))
          .atMost(Duration.ofSeconds(60))
          .until(() -> isTooOld(reader));
      stored("c", "1");
      assertThat(failureOf(writer::commit)).isEqualTo(Code.TRANSACTION_TOO_OLD);
    }
    assertThat(all()).containsExactly("c=1");
  }

  private boolean isTooOld(Transaction reader) {
    try {
      get(reader, "other");
      return false;
    } catch (StoreException e) {
      return e.code() == Code.TRANSACTION_TOO_OLD;
    }
  }

  private byte[] longKey(int length) {
    byte[] start = key("long");
    byte[] key = Arrays.copyOf(start, length);
    Arrays.fill(key, start.length - 1, length, (byte) 'k');
    return key;
  }
}
