package dev.bridle.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.embedded.ValueCache.Changes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

class ValueCacheTest {
  private static final byte[] KEY = bytes("key");

  private final ValueCache cache = new ValueCache();

  @BeforeEach
  void openAtVersionTen() {
    cache.open(10);
  }

  @Test
  void aValueThatWasReadIsKnown() {
    read(KEY, "one", 10);

    assertThat(known(KEY, 10)).hasValue("one");
    assertThat(known(bytes("other"), 10)).isEmpty();
  }

  @Test
  void thatAKeyHasNoValueIsKnownToo() throws RocksDBException {
    cache.get(KEY, 10, key -> null);

    assertThat(cache.get(KEY, 10, key -> bytes("read again"))).isNull();
  }

  @Test
  void whoeverGetsAValueMayChangeItsBytes() throws RocksDBException {
    byte[] value = bytes("one");
    cache.get(KEY, 10, key -> value)[0] = 'X';
    cache.get(KEY, 10, key -> value)[1] = 'X';

    assertThat(known(KEY, 10)).hasValue("one");
  }

  @Test
  void aChangedValueHoldsFromItsVersionOn() {
    read(KEY, "one", 10);
    change(11, changes -> changes.put(KEY, bytes("two")));

    assertThat(known(KEY, 10)).isEmpty();
    assertThat(known(KEY, 11)).hasValue("two");
    assertThat(known(KEY, 12)).hasValue("two");
  }

  @Test
  void aReaderOfAnEarlierVersionLeavesTheNewValueInPlace() {
    read(KEY, "one", 10);
    change(11, changes -> changes.put(KEY, bytes("two")));
    read(KEY, "one", 10);

    assertThat(known(KEY, 11)).hasValue("two");
  }

  @Test
  void aValueHoldsThroughBatchesThatChangeOtherKeys() {
    read(KEY, "one", 10);
    change(11, changes -> changes.put(bytes("other"), bytes("two")));

    assertThat(known(KEY, 10)).hasValue("one");
    assertThat(known(KEY, 11)).hasValue("one");
    assertThat(known(bytes("other"), 11)).isEmpty();
  }

  @Test
  void aDeletedKeyHasNoValue() throws RocksDBException {
    read(KEY, "one", 10);
    change(11, changes -> changes.delete(KEY));

    assertThat(cache.get(KEY, 11, key -> bytes("read again"))).isNull();
  }

  @Test
  void aDeletedRangeIsReadAgain() {
    for (String key : List.of("a", "b", "c")) {
      read(bytes(key), "one", 10);
    }
    change(11, changes -> changes.deleteRange(bytes("b"), bytes("c")));

    assertThat(known(bytes("b"), 11)).isEmpty();
    assertThat(known(bytes("a"), 11)).hasValue("one");
    assertThat(known(bytes("c"), 11)).hasValue("one");
  }

  @Test
  void aKeyOfADeletedRangeThatTheSameBatchWritesIsReadAgain() {
    read(KEY, "one", 10);
    change(
        11,
        changes -> {
          changes.deleteRange(bytes("a"), bytes("z"));
          changes.put(KEY, bytes("two"));
        });

    assertThat(known(KEY, 11)).isEmpty();
  }

  @Test
  void aValueThatABatchChangesWhileItIsReadIsForgotten() throws RocksDBException {
    byte[] value =
        cache.get(
            KEY,
            10,
            key -> {
              change(11, changes -> changes.put(KEY, bytes("two")));
              return bytes("one");
            });

    assertThat(value).isEqualTo(bytes("one"));
    assertThat(known(KEY, 11)).isEmpty();
  }

  @Test
  void aLargeValueIsNotKept() {
    read(KEY, "x".repeat(4096), 10);
    assertThat(known(KEY, 10)).isEmpty();

    read(KEY, "one", 10);
    change(11, changes -> changes.put(KEY, new byte[4096]));
    assertThat(known(KEY, 11)).isEmpty();
  }

  /**
   * The key {@code k} is changed by every batch whose version is a multiple of {@code k + 1}, to
   * that version. So each reader knows what it has to find, whatever the committer does meanwhile.
   */
  @Test
  void readersBesideACommitterFindTheValuesOfTheirVersions() throws Exception {
    int keys = 24;
    long last = 60_000;
    AtomicLong published = new AtomicLong(10);
    AtomicInteger gets = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    ExecutorService readers = Executors.newFixedThreadPool(3);
    List<Future<?>> reading = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        reading.add(
            readers.submit(
                () -> {
                  while (published.get() < last) {
                    long version = published.get();
                    int key = ThreadLocalRandom.current().nextInt(keys);
                    long value = version - version % (key + 1);
                    byte[] found =
                        cache.get(
                            number(key),
                            version,
                            wanted -> {
                              read.incrementAndGet();
                              return number(value);
                            });
                    assertThat(found).isEqualTo(number(value));
                    gets.incrementAndGet();
                  }
                  return true;
                }));
      }
      for (long version = 11; version <= last; version++) {
        long batch = version;
        change(
            batch,
            changes -> {
              for (int key = 0; key < keys; key++) {
                if (batch % (key + 1) == 0) {
                  changes.put(number(key), number(batch));
                }
              }
            });
        published.set(batch);
      }
    } finally {
      published.set(last);
      readers.shutdown();
    }
    for (Future<?> reader : reading) {
      reader.get();
    }
    assertThat(read.get()).isLessThan(gets.get());
  }

  private interface Batch {
    void write(Changes changes);
  }

  private void change(long version, Batch batch) {
    Changes changes = new Changes();
    batch.write(changes);
    cache.change(changes, version);
  }

  private void read(byte[] key, String value, long version) {
    try {
      cache.get(key, version, wanted -> bytes(value));
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the value that is known; a look for one that is not takes the place of another. */
  private Optional<String> known(byte[] key, long version) {
    try {
      return Optional.ofNullable(cache.get(key, version, wanted -> null))
          .map(value -> new String(value, UTF_8));
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
