package dev.bridle.host.runtime;

import dev.bridle.host.process.Isolation;
import dev.bridle.host.task.Workplace;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The folders of the workspaces that a server's runtimes work in: those that the operator opened
 * ({@code dir:} and a path), and those below the server's workspace root ({@code folder:} and a
 * name).
 */
final class WorkspaceFolders implements Workplace {
  private static final String NO_FOLDER = "no_folder";
  private static final String PREFIX = "folder:";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private final CoreReads reads;
  private final Optional<Path> root;
  private final String tenant;
  private final Isolation isolation;

  WorkspaceFolders(CoreReads reads, Optional<Path> root, String tenant, Isolation isolation) {
    this.reads = reads;
    this.root = root;
    this.tenant = tenant;
    this.isolation = isolation;
  }

  @Override
  public Path folder(TaskContext task) throws TaskFailure {
    Optional<Path> opened = task.folder().map(Path::of);
    return opened.isPresent() ? opened(opened.get()) : named(task.task().getWorkspaceId());
  }

  /** Resolves a folder that the operator opened, which may be a link. */
  private Path opened(Path folder) throws TaskFailure {
    try {
      return needApart(folder.toRealPath());
    } catch (IOException e) {
      throw new TaskFailure(NO_FOLDER, "The workspace's folder " + folder + " is not there.", e);
    }
  }

  /** Refuses what would let the host's file tools read and write the server's data. */
  private Path needApart(Path real) throws TaskFailure {
    if (isolation.reachesHidden(real)) {
      throw new TaskFailure(
          NO_FOLDER,
          "The workspace's folder " + real + " contains the server's data, or lies in it.");
    }
    return real;
  }

  private Path named(String workspace) throws TaskFailure {
    Optional<String> name;
    try {
      name =
          Optional.of(reads.workspaceRoot(workspace))
              .filter(spelled -> spelled.startsWith(PREFIX))
              .map(spelled -> spelled.substring(PREFIX.length()))
              .filter(spelled -> NAME.matcher(spelled).matches());
    } catch (StatusRuntimeException e) {
      throw new TaskFailure(NO_FOLDER, "The workspace can't be read: " + e.getMessage(), e);
    }
    if (root.isEmpty() || name.isEmpty()) {
      throw new TaskFailure(
          NO_FOLDER,
          "The task's workspace is no folder of this machine. Make one with the root"
              + " 'folder:NAME' on a server with --workspace-root.");
    }
    return belowRoot(root.get(), name.get());
  }

  /** Agents can replace folders below the root by links, which are not followed. */
  private Path belowRoot(Path root, String name) throws TaskFailure {
    try {
      // As the server lays workspaces out; it makes the folder with the first file.
      Path folder = root.toRealPath();
      for (String part : List.of(tenant, name)) {
        folder = folder.resolve(part);
        if (!Files.isSymbolicLink(folder)) {
          Files.createDirectories(folder);
        }
        if (Files.isSymbolicLink(folder) || !folder.toRealPath().equals(folder)) {
          throw new TaskFailure(
              NO_FOLDER, "The workspace's folder " + folder + " is a link; remove the link.");
        }
      }
      return needApart(folder);
    } catch (IOException e) {
      throw new TaskFailure(NO_FOLDER, "The workspace's folder can't be made: " + e, e);
    }
  }
}
