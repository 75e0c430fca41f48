package dev.bridle.storage.layer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys are read as the tuple layer reads them, whatever they hold. */
final class RowItemsTest {
  private static final int MANY = 20_000;
  private static final List<KeyLayout> LAYOUTS =
      List.of(KeyLayout.root(), KeyLayout.under("under/".getBytes(UTF_8)));

  private final Random random = new Random(11);

  @Test
  void keysOfTheLayoutAreReadWithoutTheTupleLayer() {
    byte[] key =
        KeyLayout.root()
            .key(
                KeyLayout.root()
                    .tenant("acme", TenantSpace.EVENT)
                    .add("session_1")
                    .add(-3)
                    .add(Versionstamp.complete(new byte[10], 7)));

    Optional<RowKey> parsed = RowItems.parse(key, 0);

    assertThat(parsed).isPresent().isEqualTo(new Rows(KeyLayout.root()).parseTuple(key));
    assertThat(parsed.get().number(1)).isEqualTo(-3);
    assertThat(parsed.get().is(String.class, Long.class, CommitStamp.class)).isTrue();
  }

  @Test
  void everyKeyIsReadAsTheTupleLayerReadsIt() {
    for (int i = 0; i < MANY; i++) {
      KeyLayout layout = LAYOUTS.get(i % LAYOUTS.size());
      assertSame(layout, layout.key(tuple()));
    }
  }

  @Test
  void whatIsNoKeyIsReadAsTheTupleLayerReadsIt() {
    for (int i = 0; i < MANY; i++) {
      KeyLayout layout = LAYOUTS.get(i % LAYOUTS.size());
      byte[] key = layout.key(tuple());
      int shortest = layout.prefixLength();
      if (random.nextBoolean()) {
        key[shortest + random.nextInt(key.length - shortest)] = (byte) random.nextInt();
      }
      assertSame(layout, Arrays.copyOf(key, shortest + random.nextInt(key.length - shortest + 1)));
    }
  }

  @Test
  void aKeyWithoutTheNameOfItsTenantIsNone() {
    byte[] key = Tuple.from(KeyLayout.TENANT, null, TenantSpace.ERA.number()).pack();

    assertThat(new Rows(KeyLayout.root()).parse(key)).isEmpty();
  }

  @Test
  void aKeyWhoseNumberCouldBeShorterIsNone() {
    byte[] key = Tuple.from(KeyLayout.SYSTEM, SystemSpace.FORMAT.number()).pack();
    byte[] longer = ByteBuffer.allocate(key.length + 1).put((byte) 0x15).put(key).array();
    longer[1] = 0;

    assertThat(new Rows(KeyLayout.root()).parse(key)).isPresent();
    assertThat(new Rows(KeyLayout.root()).parse(longer)).isEmpty();
  }

  private static void assertSame(KeyLayout layout, byte[] key) {
    Rows rows = new Rows(layout);
    Optional<RowKey> expected = rows.parseTuple(key);

    assertThat(rows.parse(key)).as(Arrays.toString(key)).isEqualTo(expected);
    RowItems.parse(key, layout.prefixLength())
        .ifPresent(read -> assertThat(expected).as(Arrays.toString(key)).contains(read));
  }

  private Tuple tuple() {
    Tuple tuple = Tuple.from(random.nextInt(3));
    if (random.nextInt(8) > 0) {
      tuple = tuple.add(random.nextInt(8) > 0 ? "tenant" + random.nextInt(3) : "Käufer");
    }
    if (random.nextInt(8) > 0) {
      tuple = tuple.add(random.nextInt(100));
    }
    for (int i = random.nextInt(9); i > 0; i--) {
      tuple = item(tuple);
    }
    return tuple;
  }

  private Tuple item(Tuple tuple) {
    byte[] bytes = new byte[random.nextInt(12)];
    random.nextBytes(bytes);
    return switch (random.nextInt(12)) {
      case 0 -> tuple.add(bytes);
      case 1 -> tuple.add(new String(bytes, UTF_8));
      case 2 -> tuple.add("a\u0000b");
      case 3 -> tuple.add(random.nextLong());
      case 4 -> tuple.add(-(1L << random.nextInt(64)));
      case 5 -> tuple.add((1L << random.nextInt(64)) - 1);
      case 6 -> tuple.add(Versionstamp.complete(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 3));
      case 7 -> tuple.add(random.nextDouble());
      case 8 -> tuple.add(random.nextBoolean());
      case 9 -> tuple.add(Tuple.from("nested", random.nextInt(3)));
      case 10 -> tuple.addObject(null);
      default -> tuple.add("task_06h1wxnh1qfqhdbj00gbrnxwzc");
    };
  }
}
