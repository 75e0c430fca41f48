package dev.bridle.host.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.host.process.Isolation;
import dev.bridle.host.process.IsolationTier;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders the tasks of a server's runtimes may work in. */
final class WorkspaceFoldersTest {
  @TempDir private Path temporary;
  private Path base;
  private Path root;
  private Path data;
  private Server core;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    base = temporary.toRealPath();
    root = Files.createDirectory(base.resolve("root"));
    data = Files.createDirectories(base.resolve("server/data"));
    String name = InProcessServerBuilder.generateName();
    core = InProcessServerBuilder.forName(name).directExecutor().addService(new Rooted()).build();
    core.start();
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    core.shutdownNow();
  }

  @Test
  void aPlainFolderPasses() throws Exception {
    Path opened = Files.createDirectory(base.resolve("opened"));

    assertThat(folders().folder(task(Optional.of(opened)))).isEqualTo(opened);
    assertThat(folders().folder(task(Optional.empty())))
        .isEqualTo(root.resolve("acme/work"))
        .isDirectory();
  }

  @Test
  void aFolderThatTheOperatorOpenedMayBeALink() throws Exception {
    Path opened = Files.createDirectory(base.resolve("opened"));
    Path link = Files.createSymbolicLink(base.resolve("link"), opened);

    assertThat(folders().folder(task(Optional.of(link)))).isEqualTo(opened);
  }

  @Test
  void aFolderThatReachesTheServersDataIsRefused() throws Exception {
    Path inside = Files.createDirectory(data.resolve("inside"));
    Path above = Files.createSymbolicLink(base.resolve("link"), data.getParent());

    for (Path folder : List.of(data, inside, data.getParent(), above, Path.of("/"))) {
      assertRefused(Optional.of(folder), "the server's data");
    }
  }

  @Test
  void aFolderBelowTheRootThatIsALinkIsRefused() throws Exception {
    Path tenant = Files.createDirectory(root.resolve("acme"));
    Path other = Files.createDirectory(tenant.resolve("other"));
    Path outside = Files.createDirectory(base.resolve("outside"));

    for (Path target : List.of(data.getParent(), data, outside, other, base.resolve("none"))) {
      Path link = Files.createSymbolicLink(tenant.resolve("work"), target);
      assertRefused(Optional.empty(), "is a link");
      Files.delete(link);
    }
  }

  @Test
  void aFolderBehindALinkBelowTheRootIsRefusedAndNotMade() throws Exception {
    Files.createSymbolicLink(root.resolve("acme"), data);

    assertRefused(Optional.empty(), "is a link");
    assertThat(data).isEmptyDirectory();
  }

  private void assertRefused(Optional<Path> folder, String reason) {
    assertThatThrownBy(() -> folders().folder(task(folder)))
        .as(folder.toString())
        .isInstanceOf(TaskFailure.class)
        .hasFieldOrPropertyWithValue("code", "no_folder")
        .hasMessageContaining(reason);
  }

  private WorkspaceFolders folders() {
    return new WorkspaceFolders(
        new CoreReads(channel, "secret"),
        Optional.of(root),
        "acme",
        new Isolation(IsolationTier.HIDDEN_FOLDER, Optional.of(data), List.of()));
  }

  /** A task of which only the folder and the workspace are asked for. */
  private static TaskContext task(Optional<Path> folder) {
    return (TaskContext)
        Proxy.newProxyInstance(
            WorkspaceFoldersTest.class.getClassLoader(),
            new Class<?>[] {TaskContext.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "task" -> Task.newBuilder().setWorkspaceId("workspace_1").build();
                  case "folder" -> folder.map(Path::toString);
                  default -> throw new AssertionError(method);
                });
  }

  /** A core whose workspaces all have the same root. */
  private static final class Rooted extends WorkspaceServiceGrpc.WorkspaceServiceImplBase {
    @Override
    public void getWorkspace(GetWorkspaceRequest request, StreamObserver<Workspace> answer) {
      answer.onNext(Workspace.newBuilder().setRoot("folder:work").build());
      answer.onCompleted();
    }
  }
}
