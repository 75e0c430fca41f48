package dev.bridle.gateway.kit.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns turns = new Turns(3, 2);
  private final List<String> begun = new ArrayList<>();
  private final List<CompletableFuture<String>> calls = new ArrayList<>();

  private CompletableFuture<String> take(String holder) {
    return turns.take(
        holder,
        () -> {
          begun.add(holder);
          CompletableFuture<String> call = new CompletableFuture<>();
          calls.add(call);
          return call;
        });
  }

  @Test
  void oneHolderLeavesTurnsForAnother() {
    for (int i = 0; i < 4; i++) {
      var unused = take("a");
    }
    var unusedB = take("b");
    var unusedC = take("c");

    assertThat(begun).containsExactly("a", "a", "b");
    assertThat(turns.waiting()).isEqualTo(3);

    calls.get(0).complete("done");
    assertThat(begun).containsExactly("a", "a", "b", "a");
    calls.get(1).completeExceptionally(new IllegalStateException("a test"));
    assertThat(begun).containsExactly("a", "a", "b", "a", "c");
    for (int i = 2; i < 6; i++) {
      calls.get(i).complete("done");
    }
    assertThat(turns.waiting()).isZero();
    assertThat(begun).hasSize(6);
  }

  @Test
  void callsThatEndAtOnceEndByOneLoopHoweverManyWait() {
    CompletableFuture<String> first = take("a");
    CompletableFuture<String> second = take("a");
    List<CompletableFuture<String>> canceled = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      canceled.add(
          turns.take(
              "a", () -> CompletableFuture.failedFuture(new IllegalStateException("a test"))));
    }

    calls.get(0).complete("done");

    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    assertThat(canceled).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(turns.waiting()).isZero();
    calls.get(1).complete("done");
    var unusedThird = take("a");
    var unusedFourth = take("a");
    assertThat(begun).as("no turn was lost").hasSize(4);
  }

  @Test
  void aCallThatCannotBeMadeTakesNoTurn() {
    for (int i = 0; i < 5; i++) {
      CompletableFuture<String> failed =
          turns.take(
              "a",
              () -> {
                throw new IllegalStateException("a test");
              });
      assertThat(failed).isCompletedExceptionally();
    }

    assertThat(take("a")).isNotDone();
    calls.get(0).complete("done");
    assertThat(begun).containsExactly("a");
  }
}
