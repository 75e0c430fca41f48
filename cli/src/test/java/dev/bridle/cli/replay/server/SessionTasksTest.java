package dev.bridle.cli.replay.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.ListTasksResponse;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.task.v1.TaskServiceGrpc.TaskServiceImplBase;
import dev.bridle.task.v1.TaskStatus;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tasks of a session its replay goes through. */
final class SessionTasksTest {
  private static final String SESSION = "session_1";
  private static final Task REPLAY =
      Task.newBuilder()
          .setId("task_r")
          .setCreatedAt(Timestamps.fromMillis(1_000_000))
          .setReplay(TaskReplay.newBuilder().setSourceSessionId(SESSION))
          .build();

  private final List<Task> newestFirst = new ArrayList<>();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(new Listed()).build().start();
    channel = InProcessChannelBuilder.forName(name).build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void thoseThatHaveEndedComeOldestFirstAndTheOthersAreCounted() {
    newestFirst.add(task("later", TaskStatus.TASK_STATUS_COMPLETED, 1_000_001));
    newestFirst.add(REPLAY);
    newestFirst.add(ended("ended later", 5, 1_000_001));
    newestFirst.add(task("live", TaskStatus.TASK_STATUS_WORKING, 5));
    newestFirst.add(task("waits", TaskStatus.TASK_STATUS_INPUT_REQUIRED, 4));
    newestFirst.add(
        task("replay", TaskStatus.TASK_STATUS_COMPLETED, 4).toBuilder()
            .setReplay(TaskReplay.getDefaultInstance())
            .build());
    newestFirst.add(task("third", TaskStatus.TASK_STATUS_CANCELED, 3));
    newestFirst.add(task("second", TaskStatus.TASK_STATUS_FAILED, 2));
    newestFirst.add(task("first", TaskStatus.TASK_STATUS_COMPLETED, 1));

    SessionTasks tasks = SessionTasks.of(channel, REPLAY);

    assertThat(tasks.ended()).extracting(Task::getId).containsExactly("first", "second", "third");
    assertThat(tasks.live()).isEqualTo(3);
    assertThat(tasks.replays()).isEqualTo(1);
    assertThat(tasks.isWhole()).isTrue();
  }

  @Test
  void asManyAsASessionMayHaveAreAllOfThemAndOneMoreIsNot() {
    for (int i = SessionTasks.MOST; i > 0; i--) {
      newestFirst.add(task("task_" + i, TaskStatus.TASK_STATUS_COMPLETED, i));
    }
    SessionTasks whole = SessionTasks.of(channel, REPLAY);
    assertThat(whole.isWhole()).isTrue();
    assertThat(whole.ended()).hasSize(SessionTasks.MOST);
    assertThat(whole.ended().get(0).getId()).isEqualTo("task_1");

    newestFirst.add(task("task_0", TaskStatus.TASK_STATUS_COMPLETED, 0));
    assertThat(SessionTasks.of(channel, REPLAY).isWhole()).isFalse();
  }

  private static Task ended(String id, long createdAt, long endedAt) {
    return task(id, TaskStatus.TASK_STATUS_COMPLETED, createdAt).toBuilder()
        .setCompletedAt(Timestamps.fromMillis(endedAt))
        .build();
  }

  private static Task task(String id, TaskStatus status, long createdAt) {
    return Task.newBuilder()
        .setId(id)
        .setStatus(status)
        .setCreatedAt(Timestamps.fromMillis(createdAt))
        .build();
  }

  /** Lists the test's tasks page by page; a cursor is the index of the next one. */
  private final class Listed extends TaskServiceImplBase {
    @Override
    public void listTasks(ListTasksRequest request, StreamObserver<ListTasksResponse> response) {
      assertThat(request.getSessionId()).isEqualTo(SESSION);
      int from = request.hasCursor() ? Integer.parseInt(request.getCursor()) : 0;
      int to = Math.min(newestFirst.size(), from + request.getLimit());
      PageInfo.Builder page = PageInfo.newBuilder().setHasMore(to < newestFirst.size());
      if (page.getHasMore()) {
        page.setNextCursor(Integer.toString(to));
      }
      response.onNext(
          ListTasksResponse.newBuilder()
              .addAllData(newestFirst.subList(from, to))
              .setPage(page)
              .build());
      response.onCompleted();
    }
  }
}
