package dev.bridle.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.embedded.ValueCache.Changes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

class ValueCacheTest {
  private static final byte[] KEY = bytes("key");
  private static final int CHANGED = 4;

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
    byte[][] keys = {{0x7e}, {0x7f}, {(byte) 0x80}, {(byte) 0x81}};
    for (byte[] key : keys) {
      read(key, "one", 10);
    }
    change(11, changes -> changes.deleteRange(keys[1], keys[3]));

    assertThat(known(keys[0], 11)).hasValue("one");
    assertThat(known(keys[1], 11)).isEmpty();
    assertThat(known(keys[2], 11)).isEmpty();
    assertThat(known(keys[3], 11)).hasValue("one");
  }

  @Test
  void theLastOfTwoWritesOfAKeyInABatchCounts() {
    read(KEY, "one", 10);
    change(
        11,
        changes -> {
          changes.delete(KEY);
          changes.put(KEY, bytes("two"));
        });

    assertThat(known(KEY, 11)).hasValue("two");
  }

  @Test
  void keysThatShareAPlaceKeepTheirOwnValues() {
    for (int round = 0; round < 2; round++) {
      for (int key = 0; key < 5_000; key++) {
        String value = "value " + key;
        assertThat(get(number(key), 10, value)).hasValue(value);
      }
    }
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
  }

  @Test
  void aValueThatBecomesLargeIsForgotten() {
    read(KEY, "one", 10);
    change(11, changes -> changes.put(KEY, new byte[4096]));

    assertThat(known(KEY, 11)).isEmpty();
  }

  /**
   * The key {@code k} is changed by every batch whose version is a multiple of {@code k + 1}, to
   * that version. So each reader knows what it has to find, whatever the committer does meanwhile.
   * Reads of other keys take the places of these, so that they come into the cache all the time.
   */
  @Test
  void readersBesideACommitterFindTheValuesOfTheirVersions() throws Exception {
    long last = 200_000;
    long[][] rivals = rivals();
    AtomicLong published = new AtomicLong(10);
    AtomicInteger hits = new AtomicInteger();
    ExecutorService readers = Executors.newFixedThreadPool(3);
    List<Future<?>> reading = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        reading.add(readers.submit(() -> readUntil(last, published, rivals, hits)));
      }
      for (long version = 11; version <= last; version++) {
        long batch = version;
        change(
            batch,
            changes -> {
              for (int key = 0; key < CHANGED; key++) {
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
    assertThat(hits).hasPositiveValue();
  }

  private boolean readUntil(long last, AtomicLong published, long[][] rivals, AtomicInteger hits)
      throws RocksDBException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 10_000 || published.get() < last; i++) {
      long version = published.get();
      int key = random.nextInt(CHANGED);
      if (random.nextInt(3) == 0) {
        long rival = rivals[key][random.nextInt(rivals[key].length)];
        assertThat(cache.get(number(rival), version, wanted -> number(rival)))
            .isEqualTo(number(rival));
        continue;
      }
      long value = version - version % (key + 1);
      boolean[] read = {false};
      byte[] found =
          cache.get(
              number(key),
              version,
              wanted -> {
                read[0] = true;
                return number(value);
              });
      if (!Arrays.equals(found, number(value))) {
        throw new AssertionError(
            "version " + version + ", key " + key + ": " + ByteBuffer.wrap(found).getLong());
      }
      if (!read[0]) {
        hits.incrementAndGet();
      }
    }
    return true;
  }

  /** Returns, for each key that is changed, two keys that share its place and never change. */
  private static long[][] rivals() {
    long[][] rivals = new long[CHANGED][];
    for (int key = 0; key < CHANGED; key++) {
      int slot = ValueCache.slot(number(key));
      rivals[key] =
          LongStream.iterate(1_000, number -> number + 1)
              .filter(number -> ValueCache.slot(number(number)) == slot)
              .limit(2)
              .toArray();
    }
    return rivals;
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
    var unused = get(key, version, value);
  }

  /** Returns the value that is known; afterwards it is known that a key without one has none. */
  private Optional<String> known(byte[] key, long version) {
    return get(key, version, null);
  }

  private Optional<String> get(byte[] key, long version, String stored) {
    try {
      byte[] value = cache.get(key, version, wanted -> stored == null ? null : bytes(stored));
      return Optional.ofNullable(value).map(found -> new String(found, UTF_8));
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
