package dev.bridle.host.runtime;

import dev.bridle.host.task.Workplace;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The folders of the workspaces that a server's runtimes work in: those that the operator opened
 * ({@code dir:} and a path), and those below the server's workspace root ({@code folder:} and a
 * name).
 */
final class WorkspaceFolders implements Workplace {
  private static final String PREFIX = "folder:";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private final CoreReads reads;
  private final Optional<Path> root;
  private final String tenant;

  WorkspaceFolders(CoreReads reads, Optional<Path> root, String tenant) {
    this.reads = reads;
    this.root = root;
    this.tenant = tenant;
  }

  @Override
  public Path folder(TaskContext task) throws TaskFailure {
    Optional<Path> folder = task.folder().map(Path::of);
    if (folder.isEmpty()) {
      folder = belowRoot(task.task().getWorkspaceId());
    }
    Path found =
        folder.orElseThrow(
            () ->
                new TaskFailure(
                    "no_folder",
                    "The task's workspace is no folder of this machine. Make one with the root"
                        + " 'folder:NAME' on a server with --workspace-root."));
    try {
      return found.toRealPath();
    } catch (IOException e) {
      throw new TaskFailure("no_folder", "The workspace's folder " + found + " is not there.", e);
    }
  }

  private Optional<Path> belowRoot(String workspace) throws TaskFailure {
    try {
      Optional<String> name =
          Optional.of(reads.workspaceRoot(workspace))
              .filter(spelled -> spelled.startsWith(PREFIX))
              .map(spelled -> spelled.substring(PREFIX.length()))
              .filter(spelled -> NAME.matcher(spelled).matches());
      if (root.isEmpty() || name.isEmpty()) {
        return Optional.empty();
      }
      // As the server lays workspaces out; it makes the folder with the first file.
      return Optional.of(
          Files.createDirectories(root.get().toRealPath().resolve(tenant).resolve(name.get())));
    } catch (StatusRuntimeException e) {
      throw new TaskFailure("no_folder", "The workspace can't be read: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new TaskFailure("no_folder", "The workspace's folder can't be made: " + e, e);
    }
  }
}
