package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.kit.history.Linearizability;
import dev.bridle.storage.kit.history.Model;
import dev.bridle.storage.kit.history.Model.Counter;
import dev.bridle.storage.kit.history.Model.Register;
import dev.bridle.storage.kit.history.Recorder;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What many threads were answered at once can be put into one order that keeps real time; some of
 * them never learn whether their write was applied.
 */
public abstract class LinearizabilityContract extends StoreSuite {
  private static final int THREADS = 5;
  private static final int OPERATIONS = 30;

  /** One in so many writes is not sent, and one in so many loses its answer. */
  private static final int ONE_UNKNOWN_IN = 15;

  protected LinearizabilityContract(StoreHooks hooks) {
    super(hooks);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {31, 32, 33})
  void aKeyIsARegister(long seed) {
    Recorder<Register, Optional<String>> recorder = new Recorder<>();
    run(
        seed,
        (random, name) -> {
          if (random.nextBoolean()) {
            recorder.record(Register.read(), () -> now("register"));
          } else {
            recorder.record(
                Register.write(name),
                () -> {
                  once(random, tr -> put(tr, "register", name));
                  return Optional.empty();
                });
          }
        });
    assertThat(Linearizability.holds(Model.register(), recorder.history())).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {41, 42, 43})
  void aNumberIsACounter(long seed) {
    Recorder<Counter, Long> recorder = new Recorder<>();
    run(
        seed,
        (random, name) -> {
          if (random.nextBoolean()) {
            recorder.record(Counter.read(), this::count);
          } else {
            long delta = 1L + random.nextInt(3);
            recorder.record(
                Counter.add(delta),
                () -> {
                  once(random, tr -> tr.add(key("counter"), delta));
                  return 0L;
                });
          }
        });
    assertThat(Linearizability.holds(Model.counter(), recorder.history())).isTrue();
  }

  private interface Client {
    void operate(Random random, String name);
  }

  private static void run(long seed, Client client) {
    Workers.run(
        THREADS,
        thread -> {
          Random random = new Random(seed * 1000 + thread);
          for (int i = 0; i < OPERATIONS; i++) {
            client.operate(random, thread + "/" + i);
          }
          return thread;
        });
  }

  private void once(Random random, Consumer<Transaction> work) {
    try (Transaction tr = begin()) {
      work.accept(tr);
      if (random.nextInt(ONE_UNKNOWN_IN) > 0) {
        tr.commit();
      } else {
        throw unknown();
      }
    }
    if (random.nextInt(ONE_UNKNOWN_IN) == 0) {
      throw unknown();
    }
  }

  private long count() {
    return store().read(tr -> tr.get(key("counter")).map(StoreSuite::number)).orElse(0L);
  }

  private static StoreException unknown() {
    return new StoreException(Code.TIMED_OUT, "Made up by the test.");
  }
}
