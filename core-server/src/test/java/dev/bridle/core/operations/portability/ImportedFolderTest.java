package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file opens no folder of the machine that it is loaded on. */
class ImportedFolderTest {
  private static final String FOLDER = "/home/ada/project";

  @TempDir private Path directory;
  private TestCore source;
  private TestCore target;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  @Test
  void aFolderThatAFileBringsIsClosedUntilTheOperatorOpensIt() {
    String workspace = source.hostedFolder(FOLDER);
    byte[] file = Transfer.tenant(source);
    var unused = Transfer.load(target, file);

    assertThat(root(workspace)).isEqualTo("imported-dir:" + FOLDER);
    assertThat(leased(workspace).getFolder()).isEmpty();

    assertThat(target.hostedFolder(FOLDER)).isEqualTo(workspace);

    assertThat(root(workspace)).isEqualTo("dir:" + FOLDER);
    assertThat(leased(workspace).getFolder()).isEqualTo(FOLDER);
    assertThat(Transfer.load(target, file).getAlreadyLoaded()).isTrue();
  }

  private String root(String workspace) {
    return WorkspaceServiceGrpc.newBlockingStub(target.owner())
        .getWorkspace(GetWorkspaceRequest.newBuilder().setWorkspaceId(workspace).build())
        .getRoot();
  }

  private TaskLease leased(String workspace) {
    String session =
        SessionServiceGrpc.newBlockingStub(target.owner())
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
            .getId();
    var unused = target.submit(session);
    try (TestWorker worker = new TestWorker(target.owner(), "", "w1")) {
      worker.want(1);
      return worker.lease();
    }
  }
}
