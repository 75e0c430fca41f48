package dev.bridle.storage.kit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StampedTuple;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The words that every suite is written in: keys under a prefix of the test's own, and text. */
abstract class StoreSuite {
  private final StoreHooks hooks;
  private Tuple prefix = new Tuple();

  StoreSuite(StoreHooks hooks) {
    this.hooks = hooks;
  }

  @BeforeEach
  void startWithNoKeys(TestInfo test) {
    prefix = Tuple.from("kit", getClass().getSimpleName(), test.getDisplayName());
    store()
        .transact(
            tr -> {
              tr.clear(everything());
              return prefix;
            });
  }

  final KeyValueStore store() {
    return hooks.store();
  }

  final KeyValueStore reopen() {
    return hooks.reopen();
  }

  final int longestKey() {
    return StoreLimits.MAX_KEY_BYTES - hooks.prefixBytes();
  }

  final Transaction begin() {
    return store().begin(TransactionOptions.DEFAULT);
  }

  /** Returns a key of this test; keys sort like their names. */
  final byte[] key(String name) {
    return prefix.add(name).pack();
  }

  final byte[] key(long number) {
    return prefix.add(number).pack();
  }

  /** Returns a key of this test with room for a versionstamp, in the form that stamping takes. */
  final byte[] stampedKey(String name) {
    return StampedTuple.pack(prefix.add(name).add(Versionstamp.incomplete()), new byte[0]);
  }

  /** Returns the name of a key that {@link #key(String)} made. */
  final String name(byte[] key) {
    return Tuple.fromBytes(key).getString(prefix.size());
  }

  final KeyRange everything() {
    return KeyRange.startsWith(prefix.pack());
  }

  final KeyRange under(String name) {
    return KeyRange.startsWith(key(name));
  }

  final KeyRange range(String from, String to) {
    return new KeyRange(key(from), key(to));
  }

  final void put(Transaction tr, String name, String value) {
    tr.set(key(name), bytes(value));
  }

  /** Stores values under the given names, each in the order of the arguments, in one commit. */
  final void stored(String... namesAndValues) {
    store()
        .transact(
            tr -> {
              for (int i = 0; i < namesAndValues.length; i += 2) {
                put(tr, namesAndValues[i], namesAndValues[i + 1]);
              }
              return prefix;
            });
  }

  /**
   * Runs a write that applies once: where the outcome of an attempt is unknown, the next one finds
   * its marker.
   */
  final void once(String marker, Consumer<Transaction> work) {
    byte[] done = key("done/" + marker);
    store()
        .transact(
            tr -> {
              if (tr.get(done).isEmpty()) {
                tr.set(done, new byte[0]);
                work.accept(tr);
              }
              return true;
            });
  }

  final Optional<String> get(ReadTransaction tr, String name) {
    return tr.get(key(name)).map(StoreSuite::text);
  }

  /** Returns what a new transaction finds under a name. */
  final Optional<String> now(String name) {
    return store().read(tr -> get(tr, name));
  }

  /** Returns the pairs of a range as {@code name=value}. */
  final List<String> list(ReadTransaction tr, KeyRange range, int limit, boolean reverse) {
    return tr.getRange(range, limit, reverse).stream().map(this::show).toList();
  }

  /** Returns all pairs of this test as {@code name=value}, as a new transaction finds them. */
  final List<String> all() {
    return store().read(tr -> list(tr, everything(), 10_000, false));
  }

  /** Returns the pairs of a range as a new transaction finds them. */
  final List<KeyValue> scan(KeyRange range) {
    return store().read(tr -> tr.getRange(range, 10_000));
  }

  /** Returns the version that a new transaction reads at. */
  final long version() {
    return store().read(tr -> tr.readVersion());
  }

  private String show(KeyValue pair) {
    return name(pair.key()) + "=" + text(pair.value());
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Returns the code of the store's failure that {@code call} must end in. */
  static StoreException.Code failureOf(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(StoreException.class);
    return ((StoreException) thrown).code();
  }
}
