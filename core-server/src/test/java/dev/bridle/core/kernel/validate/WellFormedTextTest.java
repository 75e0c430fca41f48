package dev.bridle.core.kernel.validate;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.GetTaskRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WellFormedTextTest {
  private static final String HALF = "\ud800";

  @Test
  void halfOfASurrogatePairIsFoundWhereverItStands() {
    assertThat(List.of("", "plain", "\ud83d\ude00", "a\ud83d\ude00b"))
        .allMatch(WellFormedText::isWellFormed);
    assertThat(List.of(HALF, "\udc00", "a" + HALF, HALF + "a", "\udc00\ud800"))
        .noneMatch(WellFormedText::isWellFormed);
    assertThat(WellFormedText.isWellFormedValue(Map.of("a", List.of(Map.of(HALF, 1))))).isFalse();
    assertThat(WellFormedText.isWellFormedValue(Map.of("a", List.of("b", 1)))).isTrue();
  }

  @Test
  void aRequestWithHalfOfASurrogatePairIsRefusedBeforeStorageSeesIt(@TempDir Path directory) {
    try (TestCore core = TestCore.start(directory, TaskOptions.DEFAULT)) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "task_id",
          () -> core.tasks().getTask(GetTaskRequest.newBuilder().setTaskId(HALF).build()));
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "vault_ids",
          () ->
              SessionServiceGrpc.newBlockingStub(core.owner())
                  .createSession(
                      CreateSessionRequest.newBuilder()
                          .setWorkspaceId("default")
                          .addVaultIds("good")
                          .addVaultIds(HALF)
                          .build()));
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "message",
          () -> core.tasks().appendTaskMessage(TestCore.answer("task", HALF)));
    }
  }
}
