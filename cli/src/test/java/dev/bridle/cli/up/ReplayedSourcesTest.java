package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.event.v1.Event;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactRequest;
import dev.bridle.redaction.v1.RedactedItem;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of tasks whose log or session is not at rest. */
@Tag("slow")
final class ReplayedSourcesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int REPLAYS = 10;

  @TempDir private Path directory;

  @Test
  void aTaskReplaysToTheSameSegmentWhileItsSessionGoesOn() {
    try (KeyValueStore store = SuiteStore.open(directory);
        ReplayingServer server = new ReplayingServer(store)) {
      String session = server.session();
      String task = server.ended(server.submit(session, true));
      Set<String> segments = new HashSet<>(Set.of(segment(server, task)));
      List<String> later = new ArrayList<>();
      for (int i = 0; i < REPLAYS; i++) {
        later.add(server.submit(session, true));
        segments.add(segment(server, task));
      }

      assertThat(segments).hasSize(1);
      later.forEach(
          each ->
              assertThat(server.task(server.ended(each)).getStatus())
                  .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED));
    }
  }

  @Test
  void aRedactedTaskReplaysEachTimeToTheSameSegmentWhichSaysWhatIsWithheld() {
    try (KeyValueStore store = SuiteStore.open(directory);
        ReplayingServer server = new ReplayingServer(store)) {
      String task = server.completedTask();
      String before = segment(server, task);
      redact(server, task);
      Set<String> segments = new HashSet<>();
      String last = task;
      for (int i = 0; i < REPLAYS; i++) {
        last = server.replay(task).getId();
        segments.add(server.segment(last));
      }

      assertThat(segments).hasSize(1).doesNotContain(before);
      assertThat(segments.iterator().next()).doesNotContain("one two one");
      assertThat(completed(server, last))
          .doesNotContain("\"withheld\":0,")
          .contains("\"final_state\":\"COMPLETED\"");
      assertThat(segment(server, last)).as("of a replay").isIn(segments);
    }
  }

  private static String segment(ReplayingServer server, String task) {
    Task replay = server.replay(task);
    assertThat(replay.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    return server.segment(replay.getId());
  }

  private static String completed(ReplayingServer server, String replay) {
    return server.events(replay).stream()
        .filter(event -> event.getEvent().equals("replay.completed"))
        .map(Event::getPayload)
        .findFirst()
        .orElseThrow()
        .toStringUtf8();
  }

  private static void redact(ReplayingServer server, String task) {
    var redactions = RedactionServiceGrpc.newBlockingStub(server.channel());
    String id =
        redactions
            .redact(
                RedactRequest.newBuilder()
                    .addItems(
                        RedactedItem.newBuilder()
                            .setObject(RedactedObject.REDACTED_OBJECT_TASK)
                            .setId(task))
                    .build())
            .getId();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                redactions
                        .getRedaction(GetRedactionRequest.newBuilder().setRedactionId(id).build())
                        .getStatus()
                    == RedactionStatus.REDACTION_STATUS_DONE);
  }
}
