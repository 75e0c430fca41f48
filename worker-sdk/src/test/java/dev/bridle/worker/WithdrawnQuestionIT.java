package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Questions that another thread of the handler takes back. */
final class WithdrawnQuestionIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final CompletableFuture<TaskContext> context = new CompletableFuture<>();

  @Test
  void theHandlerIsToldAndGoesOn() throws Exception {
    fake.start(fake.worker().slots(1).handler(this::ask));
    String id = core.submitText("x");
    TaskContext task = context.get();
    await(() -> core.hasPending(id));

    assertThat(task.withdraw("ask")).isTrue();

    await(() -> core.ends(id).equals(List.of("completed withdrawn")));
  }

  private TaskResult ask(TaskContext task) {
    context.complete(task);
    try {
      var unused =
          task.requestInput("ask", Question.of("How many?").holding(Duration.ofMinutes(1)));
      return TaskResult.of("answered");
    } catch (QuestionWithdrawn e) {
      return TaskResult.of("withdrawn");
    }
  }
}
