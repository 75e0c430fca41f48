package dev.bridle.storage.layer.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.LayerStore;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsTest {
  private static final Rows ROWS = new Rows(KeyLayout.root());
  private static final int TENANTS = 3;
  private static final int RECORDS = 40;
  private static final int PIECE = 16;
  private static final int STEPS = 10;
  private static final FormatHistory OLD = new FormatHistory(3, 3, Map.of(), List.of());
  private static final byte[] DONE = ROWS.key(SystemSpace.INSTALLATION, "migrated");

  private final LayerStore opened = new LayerStore();
  private final KeyValueStore store = opened.store();

  @AfterEach
  void close() {
    opened.close();
  }

  @Test
  void newStorageGetsTheCurrentFormatAndIsTakenAgain() {
    new Migrations(ROWS, FormatHistory.OURS).run(store);
    assertThat(format(store)).isEqualTo(FormatHistory.OURS.current());
    new Migrations(ROWS, FormatHistory.OURS).run(store);
  }

  @Test
  void aLaterFormatIsRefusedWithBothVersionsAndNothingIsChanged() {
    new Migrations(ROWS, new FormatHistory(9, 9, Map.of(), List.of())).run(store);
    assertThatThrownBy(() -> new Migrations(ROWS, OLD).run(store))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("has format 9")
        .hasMessageContaining("knows formats 3 to 3")
        .hasMessageContaining("newer Bridle");
    assertThat(format(store)).isEqualTo(9);
  }

  @Test
  void aFormatThatIsTooOldIsRefusedAndSaysWhichReleaseMigratesIt() {
    new Migrations(ROWS, OLD).run(store);
    FormatHistory later = new FormatHistory(7, 7, Map.of(3, "2.4"), List.of());
    assertThatThrownBy(() -> new Migrations(ROWS, later).run(store))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("has format 3")
        .hasMessageContaining("from format 7 on")
        .hasMessageContaining("start Bridle 2.4 on it once");
    assertThat(format(store)).isEqualTo(3);
  }

  @Test
  void dataWithoutAFormatIsRefused() {
    store.transact(tr -> set(tr, ROWS.key(SystemSpace.PARTITIONS), new byte[] {1}));
    assertThatThrownBy(() -> new Migrations(ROWS, OLD).run(store))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("without a format");
  }

  @Test
  void workThatMustNotMigrateLearnsWhatIsStoredAndChangesNothing() {
    assertThat(new Migrations(ROWS, OLD).holdsData(store)).isFalse();
    List<KeyValue> rows = store.read(tr -> tr.getRange(ROWS.all(), 1));
    assertThat(rows).isEmpty();
    fill(store);
    assertThat(new Migrations(ROWS, OLD).holdsData(store)).isTrue();
    assertThatThrownBy(() -> new Migrations(ROWS, history(new ByOwner(3))).holdsData(store))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("has format 3")
        .hasMessageContaining("works with format 4")
        .hasMessageContaining("start 'bridle up' on it once");
    assertThat(format(store)).isEqualTo(3);
  }

  @Test
  void aWayWithAMissingStepIsAMistakeOfTheProgram() {
    assertThatThrownBy(() -> new FormatHistory(3, 1, Map.of(), List.of(new ByOwner(2))))
        .hasMessageContaining("one migration from format 1");
  }

  @Test
  void olderDataIsBroughtThroughEveryFormatToTheCurrentOne() {
    fill(store);
    FormatHistory twoOn =
        new FormatHistory(5, 3, Map.of(), List.of(new NothingToDo(4), new ByOwner(3)));
    new Migrations(ROWS, twoOn).run(store);
    assertThat(format(store)).isEqualTo(5);
    assertMigratedOnce(store);
  }

  @ParameterizedTest(name = "killed in step {0}")
  @ValueSource(ints = {0, 1, 2, 5, STEPS - 1})
  void aMigrationThatIsKilledGoesOnWhereItWas(int lastStep) {
    fill(store);
    AtomicInteger steps = new AtomicInteger();
    Migration killed =
        new ByOwner(3) {
          @Override
          public Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place) {
            Optional<byte[]> next = super.step(tr, rows, place);
            if (steps.getAndIncrement() == lastStep) {
              throw new IllegalStateException("killed");
            }
            return next;
          }
        };
    assertThatThrownBy(() -> new Migrations(ROWS, history(killed)).run(store)).hasMessage("killed");
    assertThat(format(store)).isEqualTo(3);
    AtomicInteger again = new AtomicInteger();
    Migration counting =
        new ByOwner(3) {
          @Override
          public Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place) {
            again.incrementAndGet();
            return super.step(tr, rows, place);
          }
        };
    new Migrations(ROWS, history(counting)).run(store);
    assertThat(again).hasValue(STEPS - lastStep);
    assertMigratedOnce(store);
  }

  @Test
  void twoProcessesThatMigrateAtOnceDoEachPieceOnce() {
    fill(store);
    List<CompletableFuture<Void>> both =
        List.of(
            CompletableFuture.runAsync(() -> migrate(store), run -> new Thread(run).start()),
            CompletableFuture.runAsync(() -> migrate(store), run -> new Thread(run).start()));
    both.forEach(CompletableFuture::join);
    assertMigratedOnce(store);
  }

  private static void migrate(KeyValueStore store) {
    new Migrations(ROWS, history(new ByOwner(3))).run(store);
  }

  private static FormatHistory history(Migration migration) {
    return new FormatHistory(4, 3, Map.of(), List.of(migration));
  }

  /** Records of an owner each, without an index. */
  private static void fill(KeyValueStore store) {
    new Migrations(ROWS, OLD).run(store);
    for (int t = 0; t < TENANTS; t++) {
      String tenant = "tenant " + t;
      store.transact(
          tr -> {
            for (int i = 0; i < RECORDS; i++) {
              byte[] owner = ROWS.value("owner " + i % 7);
              tr.set(ROWS.key(tenant, TenantSpace.RECORD, 99, "record " + (100 + i)), owner);
            }
            return null;
          });
    }
  }

  private static void assertMigratedOnce(KeyValueStore store) {
    Optional<byte[]> place = store.read(tr -> tr.get(ROWS.key(SystemSpace.FORMAT, "place")));
    assertThat(place).isEmpty();
    for (int t = 0; t < TENANTS; t++) {
      KeyRange index = ROWS.below("tenant " + t, TenantSpace.INDEX, 99);
      List<KeyValue> rows = store.read(tr -> tr.getRange(index, 1000));
      assertThat(rows).hasSize(RECORDS);
    }
    byte[] done = store.read(tr -> tr.get(DONE)).orElseThrow();
    assertThat(ByteBuffer.wrap(done).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .isEqualTo(TENANTS * RECORDS);
  }

  private static long format(KeyValueStore store) {
    return store.read(tr -> tr.get(ROWS.key(SystemSpace.FORMAT))).flatMap(ROWS::number).get();
  }

  private static boolean set(Transaction tr, byte[] key, byte[] value) {
    tr.set(key, value);
    return true;
  }

  /** Adds an index by owner, and counts the records so that a double one shows. */
  private static class ByOwner implements Migration {
    private final int from;

    ByOwner(int from) {
      this.from = from;
    }

    @Override
    public int from() {
      return from;
    }

    @Override
    public String summary() {
      return "index records by owner";
    }

    @Override
    public Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place) {
      int tenant = place.map(at -> (int) at[0]).orElse(0);
      if (tenant == TENANTS) {
        return Optional.empty();
      }
      KeyRange all = rows.below("tenant " + tenant, TenantSpace.RECORD, 99);
      byte[] begin =
          place.filter(at -> at.length > 1).map(MigrationsTest::tail).orElse(all.begin());
      List<KeyValue> piece = tr.getRange(new KeyRange(begin, all.end()), PIECE);
      for (KeyValue row : piece) {
        String id = rows.parse(row.key()).orElseThrow().text(1);
        String owner = rows.text(row.value()).orElseThrow();
        tr.set(rows.key("tenant " + tenant, TenantSpace.INDEX, 99, owner, id), rows.value(id));
        tr.add(DONE, 1);
      }
      if (piece.size() < PIECE) {
        return Optional.of(new byte[] {(byte) (tenant + 1)});
      }
      byte[] after = KeyRange.after(piece.get(PIECE - 1).key());
      return Optional.of(
          ByteBuffer.allocate(after.length + 1).put((byte) tenant).put(after).array());
    }
  }

  private static byte[] tail(byte[] place) {
    return Arrays.copyOfRange(place, 1, place.length);
  }

  private record NothingToDo(int from) implements Migration {
    @Override
    public String summary() {
      return "do nothing";
    }

    @Override
    public Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place) {
      return Optional.empty();
    }
  }
}
