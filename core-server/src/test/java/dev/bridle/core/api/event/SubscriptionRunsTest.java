package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class SubscriptionRunsTest {
  private final Queue<Runnable> jobs = new ArrayDeque<>();
  private final List<RuntimeException> failures = new ArrayList<>();
  private final Script script = new Script();
  private final SubscriptionRuns runs = new SubscriptionRuns(jobs::add, script);
  private int sent;
  private int read;

  /** Sends once, after a read if {@code reads}, or throws. */
  private final class Script implements SubscriptionRuns.Rounds {
    private boolean reads;
    private boolean broken;

    @Override
    public Next send() {
      sent++;
      if (broken) {
        throw new StackOverflowError();
      }
      return reads ? Next.READ : Next.REST;
    }

    @Override
    public Next read() {
      reads = false;
      read++;
      return Next.SEND;
    }

    @Override
    public void fail(RuntimeException failure) {
      failures.add(failure);
    }
  }

  @Test
  void aSharedRunLeavesReadingToARunOfItsOwn() {
    script.reads = true;
    assertThat(runs.request()).isTrue();
    runs.runShared();
    assertThat(read).isZero();
    assertThat(runs.request()).as("a run is under way").isFalse();
    runJobs();
    assertThat(read).isEqualTo(1);
    assertThat(sent).isEqualTo(3);
    assertThat(runs.request()).isTrue();
  }

  @Test
  void anErrorFailsTheStreamAndLaterRequestsStillRun() {
    script.broken = true;
    for (int run = 1; run <= 2; run++) {
      runs.schedule();
      assertThatThrownBy(this::runJobs).isInstanceOf(StackOverflowError.class);
      assertThat(sent).isEqualTo(run);
      assertThat(failures).hasSize(run);
    }
  }

  private void runJobs() {
    for (Runnable next = jobs.poll(); next != null; next = jobs.poll()) {
      next.run();
    }
  }
}
