package dev.bridle.cli.replay.server;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.ListTasksResponse;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import io.grpc.Channel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The tasks of a session that a replay goes through.
 *
 * @param ended those that have ended, in the order in which they were submitted; without what they
 *     have but their ids and states
 * @param live how many had not ended, and are left out
 * @param replays how many are replays themselves, and are left out
 * @param isWhole whether these are all of them: beyond {@link #MOST} none is listed
 */
record SessionTasks(List<Task> ended, int live, int replays, boolean isWhole) {
  /** How many tasks of a session are replayed at most. */
  static final int MOST = 10_000;

  private static final int PAGE = 200;
  private static final Set<TaskStatus> ENDED =
      EnumSet.of(
          TaskStatus.TASK_STATUS_COMPLETED,
          TaskStatus.TASK_STATUS_FAILED,
          TaskStatus.TASK_STATUS_CANCELED);

  SessionTasks {
    ended = List.copyOf(ended);
  }

  /**
   * Lists the tasks of a session as they were when its replay was requested, so that a run after a
   * crash lists the same.
   *
   * @param replay the replay
   */
  static SessionTasks of(Channel channel, Task replay) {
    Deque<Task> ended = new ArrayDeque<>();
    int live = 0;
    int replays = 0;
    String cursor = "";
    do {
      ListTasksRequest.Builder request =
          ListTasksRequest.newBuilder()
              .setSessionId(replay.getReplay().getSourceSessionId())
              .setLimit(PAGE);
      if (!cursor.isEmpty()) {
        request.setCursor(cursor);
      }
      ListTasksResponse page = TaskServiceGrpc.newBlockingStub(channel).listTasks(request.build());
      for (Task task : page.getDataList()) {
        if (task.getId().equals(replay.getId()) || isLater(task.getCreatedAt(), replay)) {
          continue;
        }
        if (task.hasReplay()) {
          replays++;
        } else if (ENDED.contains(task.getStatus()) && !isLater(end(task), replay)) {
          // The list has the newest first.
          ended.addFirst(Task.newBuilder().setId(task.getId()).setStatus(task.getStatus()).build());
        } else {
          live++;
        }
      }
      cursor = page.getPage().getNextCursor();
    } while (!cursor.isEmpty() && ended.size() <= MOST);
    return new SessionTasks(List.copyOf(ended), live, replays, ended.size() <= MOST);
  }

  private static boolean isLater(Timestamp at, Task replay) {
    return Timestamps.compare(at, replay.getCreatedAt()) > 0;
  }

  private static Timestamp end(Task ended) {
    return ended.hasCanceledAt() ? ended.getCanceledAt() : ended.getCompletedAt();
  }
}
