package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads run random transactions at once; afterwards the same ones run one by one on a sorted
 * map, in the order of their versionstamps, and must have read the same.
 */
public abstract class SerializabilityContract extends StoreSuite {
  private static final int THREADS = 8;
  private static final int TRANSACTIONS = 60;
  private static final int STEPS = 6;

  /** One committed transaction: where it stands in the order, what it did, what it read. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Committed(byte[] stamp, long seed, String read) {}

  protected SerializabilityContract(StoreHooks hooks) {
    super(hooks);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22, 23})
  void theOrderOfStampsExplainsEveryRead(long seed) {
    List<Committed> history =
        Workers.run(THREADS, thread -> runMany(seed * 1000 + thread)).stream()
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Committed::stamp, Arrays::compareUnsigned))
            .toList();

    TreeMap<String, String> model = new TreeMap<>();
    for (Committed transaction : history) {
      String read = script(transaction.seed(), new ModelTarget(model));
      assertThat(transaction.read()).as("transaction %d", transaction.seed()).isEqualTo(read);
    }
    assertThat(history).hasSize(THREADS * TRANSACTIONS);
    List<String> left = store().read(tr -> list(tr, range("", "z"), 1_000, false));
    assertThat(left)
        .isEqualTo(model.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }

  private List<Committed> runMany(long threadSeed) {
    List<Committed> committed = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      long seed = threadSeed * 1000 + i;
      List<String> reads = new ArrayList<>();
      store()
          .transact(
              tr -> {
                if (tr.get(marker(seed)).isEmpty()) {
                  tr.setVersionstampedValue(marker(seed), stampAnd(reads.size()));
                  reads.add(script(seed, new StoreTarget(this, tr)));
                }
                return seed;
              });
      // Of several attempts, the one that was applied has left its stamp and its number.
      byte[] left = store().read(tr -> tr.get(marker(seed)).orElseThrow());
      committed.add(
          new Committed(
              Arrays.copyOf(left, StoreLimits.VERSIONSTAMP_BYTES),
              seed,
              reads.get(left[StoreLimits.VERSIONSTAMP_BYTES])));
    }
    return committed;
  }

  private byte[] marker(long seed) {
    return key(seed);
  }

  /** A value that becomes the commit's stamp, with the number of the attempt behind it. */
  private static byte[] stampAnd(int attempt) {
    byte[] value = new byte[StoreLimits.VERSIONSTAMP_BYTES + 1 + Integer.BYTES];
    value[StoreLimits.VERSIONSTAMP_BYTES] = (byte) attempt;
    return value;
  }

  /** Does what the seed says, the values depending on what was read, and returns what was read. */
  private static String script(long seed, ScriptTarget target) {
    Random random = new Random(seed);
    StringBuilder read = new StringBuilder();
    for (int i = 0; i < STEPS; i++) {
      int low = random.nextInt(16);
      int high = low + random.nextInt(16 - low + 1);
      switch (random.nextInt(6)) {
        case 0, 1 -> read.append(target.get(name(low))).append(';');
        case 2 ->
            read.append(target.list(name(low), name(high), 1 + low % 4, random.nextBoolean()));
        case 3 -> target.clear(name(low));
        case 4 -> target.clear(name(low), name(Math.min(high, low + 3)));
        default -> target.put(name(low), seed + "/" + read.toString().hashCode());
      }
    }
    target.put("last", "" + seed);
    return read.toString();
  }

  private static String name(int number) {
    return String.format(Locale.ROOT, "%02d", number);
  }
}
