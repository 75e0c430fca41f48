package dev.bridle.storage.kit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.kit.history.Model.Counter;
import dev.bridle.storage.kit.history.Model.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearizabilityTest {

  @Test
  void whatHappenedOneAfterAnotherMustAddUp() {
    assertThat(registers(write("a", 1, 2), write("b", 3, 4), read("b", 5, 6))).isTrue();
    assertThat(registers(write("a", 1, 2), write("b", 3, 4), read("a", 5, 6))).isFalse();
    assertThat(registers(readNothing(1, 2), write("a", 3, 4))).isTrue();
    assertThat(registers(write("a", 1, 2), readNothing(3, 4))).isFalse();
  }

  @Test
  void whatHappenedAtOnceMayHaveHappenedInAnyOrder() {
    assertThat(registers(write("a", 1, 10), read("a", 2, 3), readNothing(4, 5))).isFalse();
    assertThat(registers(write("a", 1, 10), readNothing(2, 3), read("a", 4, 5))).isTrue();
    assertThat(registers(write("a", 1, 9), write("b", 2, 8), read("a", 10, 11))).isTrue();
    assertThat(registers(write("a", 1, 9), write("b", 2, 8), read("b", 10, 11))).isTrue();
  }

  @Test
  void twoReadersMustNotSeeTwoWritesInDifferentOrders() {
    assertThat(
            registers(
                write("a", 1, 20),
                write("b", 2, 20),
                read("a", 3, 4),
                read("b", 5, 6),
                read("b", 3, 4),
                read("a", 7, 8)))
        .isFalse();
  }

  @Test
  void aReadThatGoesBackInTimeIsNoticed() {
    assertThat(counts(add(1, 1, 2), read(1, 3, 4), add(1, 5, 6), read(1, 7, 8))).isFalse();
    assertThat(counts(add(1, 1, 2), add(1, 3, 8), read(2, 4, 5), read(1, 6, 7))).isFalse();
    assertThat(counts(add(1, 1, 2), add(1, 3, 8), read(1, 4, 5), read(2, 6, 7))).isTrue();
  }

  @Test
  void aLostAdditionAndADoubledOneAreNoticed() {
    assertThat(counts(add(1, 1, 4), add(1, 2, 3), read(2, 5, 6))).isTrue();
    assertThat(counts(add(1, 1, 4), add(1, 2, 3), read(1, 5, 6))).isFalse();
    assertThat(counts(add(1, 1, 4), add(1, 2, 3), read(3, 5, 6))).isFalse();
  }

  @Test
  void anUnknownOutcomeMayHaveTakenEffectOrNotOrYetLater() {
    Operation<Counter, Long> unknown = Operation.unknown(Counter.add(1), 1);
    assertThat(counts(unknown, read(0, 5, 6))).isTrue();
    assertThat(counts(unknown, read(1, 5, 6))).isTrue();
    assertThat(counts(unknown, read(0, 5, 6), read(1, 7, 8))).isTrue();
    assertThat(counts(unknown, read(1, 5, 6), read(0, 7, 8))).isFalse();
    assertThat(counts(unknown, read(2, 5, 6))).isFalse();
    assertThat(counts(read(1, 0, 0), unknown)).isFalse();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyHistoryOfARealRegisterHoldsAndNotOneWithAStaleRead(long seed) {
    List<Operation<Register, Optional<String>>> history = simulated(new Random(seed));
    assertThat(Linearizability.holds(Model.register(), history)).isTrue();
    long last = history.stream().mapToLong(Operation::returned).max().orElseThrow();
    history.add(write("new", last + 1, last + 2));
    history.add(readNothing(last + 3, last + 4));
    assertThat(Linearizability.holds(Model.register(), history)).isFalse();
  }

  /** Four clients that call and return at random around the moment at which each takes effect. */
  private static List<Operation<Register, Optional<String>>> simulated(Random random) {
    List<Operation<Register, Optional<String>>> history = new ArrayList<>();
    long[] free = new long[4];
    Optional<String> value = Optional.empty();
    for (int i = 0; i < 200; i++) {
      int client = random.nextInt(free.length);
      long effect = (i + 1) * 10L;
      long called = Math.max(free[client] + 1, effect - random.nextInt(30));
      if (called >= effect) {
        continue;
      }
      long returned = effect + 1 + random.nextInt(30);
      free[client] = returned;
      if (random.nextBoolean()) {
        value = Optional.of("" + random.nextInt(5));
        history.add(write(value.get(), called, returned));
      } else {
        history.add(Operation.known(Register.read(), value, called, returned));
      }
    }
    return history;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  private static boolean registers(Operation<Register, Optional<String>>... history) {
    return Linearizability.holds(Model.register(), List.of(history));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  private static boolean counts(Operation<Counter, Long>... history) {
    return Linearizability.holds(Model.counter(), List.of(history));
  }

  private static Operation<Register, Optional<String>> write(String value, long from, long to) {
    return Operation.known(Register.write(value), Optional.empty(), from, to);
  }

  private static Operation<Register, Optional<String>> read(String value, long from, long to) {
    return Operation.known(Register.read(), Optional.of(value), from, to);
  }

  private static Operation<Register, Optional<String>> readNothing(long from, long to) {
    return Operation.known(Register.read(), Optional.empty(), from, to);
  }

  private static Operation<Counter, Long> add(long delta, long from, long to) {
    return Operation.known(Counter.add(delta), 0L, from, to);
  }

  private static Operation<Counter, Long> read(long value, long from, long to) {
    return Operation.known(Counter.read(), value, from, to);
  }
}
