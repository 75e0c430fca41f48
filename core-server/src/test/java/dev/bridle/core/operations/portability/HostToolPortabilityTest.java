package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.TaskLease;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostToolPortabilityTest {
  @TempDir Path directory;
  private TestCore source;
  private TestCore target;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    source.close(); // Each looks whether what it leaves fits together.
    target.close();
  }

  @Test
  void aCallIsAnsweredWhereItsTaskWasTakenTo() {
    String task = asked(Duration.ofHours(1));
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    answer(task);

    Transfer.load(target, file, Transfer.into("default").setTakeOver(true));

    TestWorker worker = new TestWorker(target.owner(), "", "w2");
    worker.want(1);
    RequestInputResponse given = run(target, worker.lease(), Duration.ofHours(1));
    assertThat(given.getAnswer().getParts(0).hasToolResult()).isTrue();
  }

  @Test
  void aCallRunsOutOfTimeOnceItsTaskIsTakenOver() {
    String task = asked(Duration.ofSeconds(2));
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    await().atMost(Duration.ofSeconds(60)).until(() -> timedOut(source, task));
    assertThat(timedOut(target, task)).as("nobody looks at it while it is parked").isFalse();

    Transfer.load(target, file, Transfer.into("default").setTakeOver(true));

    await().atMost(Duration.ofSeconds(60)).until(() -> timedOut(target, task));
  }

  private static boolean timedOut(TestCore core, String task) {
    return core.kindsOf(task).contains("tool.failed");
  }

  /** Has a task of the source wait with a call that somebody has allowed. */
  private String asked(Duration timeout) {
    TestWorker worker = new TestWorker(source.owner(), "", "w1");
    String task = source.submit(source.newSession()).getId();
    worker.want(1);
    var unused = run(source, worker.lease(), timeout);
    var people = PermissionServiceGrpc.newBlockingStub(source.owner());
    var pending =
        people
            .listTaskPermissionRequests(
                ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build())
            .getData(0);
    var approved =
        people.respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(pending.getId())
                .setApproved(true)
                .build());
    assertThat(approved.getTaskId()).isEqualTo(task);
    worker.want(1);
    assertThat(run(source, worker.lease(), timeout).hasAnswer()).isFalse();
    assertThat(source.kindsOf(task)).contains("tool.requested");
    return task;
  }

  private static RequestInputResponse run(TestCore core, TaskLease lease, Duration timeout) {
    return core.workers()
        .requestInput(
            RequestInputRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey("host")
                .setPrompt("Show it.")
                .setToolCall(
                    HostToolCall.newBuilder()
                        .setName("open_file")
                        .setInput(ByteString.copyFromUtf8("{}"))
                        .setTimeout(Durations.fromMillis(timeout.toMillis())))
                .build());
  }

  private void answer(String task) {
    String asked =
        target.eventsOf(task).stream()
            .filter(event -> event.getEvent().equals("tool.requested"))
            .map(event -> event.getPayload().toStringUtf8())
            .findFirst()
            .orElseThrow();
    int from = asked.indexOf("\"call_") + 1;
    ToolResultPart result =
        ToolResultPart.newBuilder()
            .setToolCallId(asked.substring(from, asked.indexOf('"', from)))
            .setOutput(ByteString.copyFromUtf8("true"))
            .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_OK)
            .setVisibility(Visibility.VISIBILITY_PUBLIC)
            .build();
    var unused =
        target
            .tasks()
            .appendTaskMessage(
                AppendTaskMessageRequest.newBuilder()
                    .setTaskId(task)
                    .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                    .setMessage(
                        MessageInput.newBuilder()
                            .setRole(Role.ROLE_TOOL)
                            .addParts(Part.newBuilder().setToolResult(result)))
                    .build());
  }
}
