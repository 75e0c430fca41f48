package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.TaskLease;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that a lease names. */
class LeasedFolderTest {
  @TempDir private Path directory;
  private TestCore core;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aTaskOfAFolderIsLeasedWithItsPathAndAnotherWithout() {
    String workspace = core.hostedFolder("/home/ada/project");
    try (TestWorker worker = new TestWorker(core.owner(), "", "w1")) {
      assertThat(queued(worker, workspace).getFolder()).isEqualTo("/home/ada/project");
      assertThat(queued(worker, "default").hasFolder()).isFalse();

      worker.want(1);
      var unused = core.submit(session(workspace));
      assertThat(worker.lease().getFolder()).as("at once").isEqualTo("/home/ada/project");
    }
  }

  private TaskLease queued(TestWorker worker, String workspace) {
    var unused = core.submit(session(workspace));
    worker.want(1);
    return worker.lease();
  }

  private String session(String workspace) {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
        .getId();
  }
}
