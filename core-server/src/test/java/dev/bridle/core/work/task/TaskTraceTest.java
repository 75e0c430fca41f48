package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.event.v1.Event;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskTraceTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @TempDir Path directory;
  private TestCore core;
  private TestWorker worker;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TestCore.SHORT);
    worker = new TestWorker(core.owner(), "", "w1");
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aTasksEventsAndItsLeaseNameTheTraceOfTheClient() {
    Task task = submit("00-" + TRACE + "-00f067aa0ba902b7-01");

    assertThat(leaseOf(task).getTraceId()).isEqualTo(TRACE);
    assertThat(tracesOf(task)).hasSizeGreaterThan(2).containsOnly(TRACE);
  }

  @Test
  void aTaskOfAClientWithoutATraceGetsOneOfItsOwn() {
    Task first = submit("malformed");
    String own = leaseOf(first).getTraceId();
    Task second = submit("");

    assertThat(own).matches("[0-9a-f]{32}");
    assertThat(tracesOf(first)).containsOnly(own);
    assertThat(leaseOf(second).getTraceId()).matches("[0-9a-f]{32}").isNotEqualTo(own);
  }

  private Task submit(String traceparent) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), traceparent);
    return TaskServiceGrpc.newBlockingStub(core.owner())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .submitSessionTask(TestCore.submission(core.newSession()));
  }

  /** Runs the task to its end, and returns its lease. */
  private TaskLease leaseOf(Task task) {
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    var unused =
        core.workers()
            .completeTask(
                CompleteTaskRequest.newBuilder()
                    .setTaskId(task.getId())
                    .setFence(lease.getFence())
                    .build());
    return lease;
  }

  private List<String> tracesOf(Task task) {
    return core.eventsOf(task.getId()).stream().map(Event::getTraceId).toList();
  }
}
