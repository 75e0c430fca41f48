package dev.bridle.core.kernel.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class CoalescingTaskTest {
  private final Queue<Runnable> jobs = new ArrayDeque<>();
  private final List<RuntimeException> failures = new ArrayList<>();
  private int rounds;

  @Test
  void callsBeforeARunAreOneRunAndThoseWithinItAreOneMore() {
    CoalescingTask task = schedulingItself(() -> {});
    task.schedule();
    task.schedule();
    runJobs();
    assertThat(rounds).isEqualTo(2);
  }

  @Test
  void aRoundWithMoreToDoIsFollowedByAnother() {
    task(() -> rounds < 3).schedule();
    runJobs();
    assertThat(rounds).isEqualTo(3);
  }

  @Test
  void anExceptionEndsARunButNotTheNext() {
    CoalescingTask task = task(CoalescingTaskTest::fail);
    task.schedule();
    runJobs();
    task.schedule();
    runJobs();
    assertThat(rounds).isEqualTo(2);
    assertThat(failures).hasSize(2);
  }

  @Test
  void anErrorEndsARunButNotTheNext() {
    CoalescingTask task =
        task(
            () -> {
              throw new StackOverflowError();
            });
    for (int run = 1; run <= 2; run++) {
      task.schedule();
      assertThatThrownBy(this::runJobs).isInstanceOf(StackOverflowError.class);
      assertThat(rounds).isEqualTo(run);
    }
  }

  @Test
  void whatIsAskedForBeforeAnErrorStillRuns() {
    CoalescingTask task =
        schedulingItself(
            () -> {
              throw new StackOverflowError();
            });
    task.schedule();
    assertThatThrownBy(this::runJobs).isInstanceOf(StackOverflowError.class);
    runJobs();
    assertThat(rounds).isEqualTo(2);
  }

  @Test
  void aThreadThatIsMissingKeepsNoLaterCallFromRunning() {
    List<Runnable> started = new ArrayList<>();
    CoalescingTask task =
        new CoalescingTask(
            work -> {
              if (rounds++ == 0) {
                throw new RejectedExecutionException("no thread");
              }
              started.add(work);
            },
            () -> false,
            failures::add);
    assertThatThrownBy(task::schedule).isInstanceOf(RejectedExecutionException.class);
    task.schedule();
    assertThat(started).hasSize(1);
  }

  private static boolean fail() {
    throw new IllegalStateException("as planned");
  }

  /** Returns one that is scheduled twice by its first round, which then ends in some way. */
  private CoalescingTask schedulingItself(Runnable end) {
    List<CoalescingTask> self = new ArrayList<>();
    self.add(
        task(
            () -> {
              if (rounds == 1) {
                self.get(0).schedule();
                self.get(0).schedule();
                end.run();
              }
              return false;
            }));
    return self.get(0);
  }

  private CoalescingTask task(BooleanSupplier round) {
    return new CoalescingTask(
        jobs::add,
        () -> {
          rounds++;
          return round.getAsBoolean();
        },
        failures::add);
  }

  private void runJobs() {
    for (Runnable next = jobs.poll(); next != null; next = jobs.poll()) {
      next.run();
    }
  }
}
