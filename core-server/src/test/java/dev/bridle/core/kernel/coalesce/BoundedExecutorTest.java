package dev.bridle.core.kernel.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BoundedExecutorTest {
  private final Deque<Runnable> given = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private final BoundedExecutor executor = new BoundedExecutor(given::add, 2);

  private void runAll() {
    while (!given.isEmpty()) {
      given.poll().run();
    }
  }

  @Test
  void noMoreThanSoManyAreGivenOnAtOnceAndAllRunInTheirOrder() {
    for (String name : List.of("a", "b", "c", "d")) {
      executor.execute(() -> ran.add(name));
    }

    assertThat(given).hasSize(2);
    given.poll().run();
    assertThat(given).as("the next takes the place of the one that has ended").hasSize(2);
    runAll();
    assertThat(ran).containsExactly("a", "b", "c", "d");
    executor.execute(() -> ran.add("e"));
    executor.execute(() -> ran.add("f"));
    assertThat(given).as("all places are free again").hasSize(2);
  }

  @Test
  void aTaskThatFailsLeavesItsPlaceToTheNext() {
    for (int i = 0; i < 2; i++) {
      executor.execute(
          () -> {
            throw new IllegalStateException("on purpose");
          });
    }
    executor.execute(() -> ran.add("next"));

    assertThatThrownBy(() -> given.poll().run()).hasMessage("on purpose");
    assertThatThrownBy(() -> given.poll().run()).hasMessage("on purpose");
    runAll();
    assertThat(ran).containsExactly("next");
  }

  @Test
  void aTaskThatIsNotTakenIsNotCounted() {
    BoundedExecutor closed =
        new BoundedExecutor(
            task -> {
              throw new RejectedExecutionException("closed");
            },
            1);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> closed.execute(() -> ran.add("never"))).hasMessage("closed");
    }
  }
}
