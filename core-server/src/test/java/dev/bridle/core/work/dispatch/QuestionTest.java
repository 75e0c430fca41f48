package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.util.Durations;
import dev.bridle.core.server.TestCore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuestionTest extends LeasedTasks {
  @Test
  void aQuestionInsteadOfAStopIsAnsweredAlikeWhenItIsToldTwice() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    cancel(task.getId());
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();

    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aQuestionFreesTheLeaseAndItsAnswerIsThereOnTheRerun() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer())
        .as("asked twice, as after an unknown answer")
        .isFalse();
    assertThat(core.task(task.getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_FREE);

    core.tasks().appendTaskMessage(TestCore.answer(task.getId(), "forty-two"));
    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    worker.want(1);
    TaskLease rerun = worker.lease();
    assertThat(rerun.getAttempt()).as("an answer starts no new attempt").isEqualTo(1);
    assertThat(rerun.getRerun()).isTrue();
    assertThat(
            core.workers()
                .requestInput(question(rerun, 0))
                .getAnswer()
                .getParts(0)
                .getText()
                .getText())
        .isEqualTo("forty-two");
    complete(rerun, "done");
    assertThat(core.kindsOf(task.getId()))
        .containsExactly(
            "task.submitted",
            "task.started",
            "task.input_required",
            "user.input_submitted",
            "task.status_changed",
            "task.completed");
  }

  @Test
  void anAnswerToAnotherQuestionThanTheTaskWaitsWithIsAConflict() {
    Task task = core.submit(session);
    worker.want(1);
    var unused = core.workers().requestInput(question(worker.lease(), 0));
    var answer = TestCore.answer(task.getId(), "forty-two").toBuilder();

    assertThatThrownBy(() -> core.tasks().appendTaskMessage(answer.setStepKey("another").build()))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThat(core.task(task.getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(core.tasks().appendTaskMessage(answer.setStepKey("ask").build()).getTaskId())
        .isEqualTo(task.getId());
    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  @Test
  void aParkedLeaseGetsItsTaskBackFirst() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    core.workers().requestInput(question(lease, 60));
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_PARKED);
    TestWorker other = new TestWorker(core.owner(), "", "w2");
    other.want(1);
    core.tasks().appendTaskMessage(TestCore.answer(task.getId(), "forty-two"));

    assertThat(other.next(Duration.ofMillis(200))).isEmpty();
    worker.want(1);
    assertThat(worker.lease().getResumed()).isTrue();
  }

  @Test
  void aLeaseIsParkedForADayAtMost() {
    Task task = core.submit(session);
    worker.want(1);
    long before = System.currentTimeMillis();
    var unused = core.workers().requestInput(question(worker.lease(), 3 * 86_400));

    assertThat(core.record(task.getId()).getLease().getHoldUntil())
        .isBetween(before + 86_400_000, System.currentTimeMillis() + 86_400_000);
  }

  @Test
  void aParkedLeaseWhoseHoldEndsIsFreed() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    core.workers()
        .requestInput(question(lease, 0).toBuilder().setHold(Durations.fromMillis(100)).build());

    await().atMost(Duration.ofSeconds(60)).until(() -> beat(lease) == LeaseState.LEASE_STATE_FREE);
    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
  }
}
