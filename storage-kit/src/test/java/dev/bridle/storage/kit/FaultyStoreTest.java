package dev.bridle.storage.kit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultyStoreTest {
  private static final byte[] COUNT = "count".getBytes(UTF_8);

  @TempDir Path directory;

  private EmbeddedStore real;

  @BeforeEach
  void open() {
    real = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    real.close();
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void eachFaultTellsItsCodeAndAppliesOrLosesTheWrites(Fault fault) {
    FaultyStore faulty = new FaultyStore(real, () -> fault);
    Throwable thrown =
        catchThrowable(
            () -> {
              try (var tr = faulty.begin(TransactionOptions.DEFAULT)) {
                tr.add(COUNT, 1);
                tr.commit();
              }
            });
    assertThat(thrown).isInstanceOf(StoreException.class);
    assertThat(((StoreException) thrown).code()).isEqualTo(fault.code());
    assertThat(count()).isEqualTo(fault.applies() ? 1 : 0);
  }

  @Test
  void readingNeverFails() {
    FaultyStore faulty = new FaultyStore(real, () -> Fault.CONFLICT);
    assertThat(faulty.read(tr -> tr.get(COUNT)).isPresent()).isFalse();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void aCommandThatRecordsItsIdIsAppliedOnceWhateverFails(long seed) {
    Random random = new Random(seed);
    Fault[] retried = {
      Fault.NONE, Fault.CONFLICT, Fault.TOO_OLD, Fault.UNKNOWN_BUT_APPLIED, Fault.UNKNOWN_AND_LOST
    };
    FaultyStore faulty = new FaultyStore(real, () -> retried[random.nextInt(retried.length)]);
    for (int i = 0; i < 50; i++) {
      byte[] command = ("command/" + i).getBytes(UTF_8);
      faulty.transact(
          tr -> {
            if (tr.get(command).isEmpty()) {
              tr.set(command, command);
              tr.add(COUNT, 1);
            }
            return null;
          });
    }
    assertThat(count()).isEqualTo(50);
  }

  private long count() {
    KeyValueStore store = real;
    return store
        .read(tr -> tr.get(COUNT))
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }
}
