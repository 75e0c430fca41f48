package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a handler is given secrets. */
final class SecretIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final List<String> given = new CopyOnWriteArrayList<>();

  @Test
  void aHandlerIsGivenSecretsByNameAndByVault() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  given.add(task.secret("token"));
                  given.add(task.secret("vault_1", "token"));
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(given).containsExactly("value of /token", "value of vault_1/token");
  }

  @Test
  void everyRunAsksAgain() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  given.add(task.secret("token"));
                  task.progress("began");
                  if (task.attempt() == 1) {
                    throw new IllegalStateException("once");
                  }
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(given).hasSize(2);
  }

  @Test
  void whatIsNotThereIsRefused() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  try {
                    return TaskResult.of(task.secret("absent"));
                  } catch (CallRefused refused) {
                    throw new TaskFailure("no_token", refused.code().name());
                  }
                }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("failed no_token ERROR_CODE_RESOURCE_NOT_FOUND")));
  }
}
