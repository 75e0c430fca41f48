package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.workspace.v1.Workspace;
import java.util.Optional;

/** Storage of workspace files. All implementations have the same contract. */
public interface WorkspaceFiles {
  /** The maximum number of files of a workspace, and of entries of a directory. */
  int MOST_FILES = 2000;

  /** The maximum total size of a workspace's files, in bytes. */
  long MOST_BYTES = 256L << 20;

  /** The maximum size of a file, in bytes. */
  int MOST_BYTES_OF_FILE = 1 << 20;

  /** Returns the content of a path; empty if nothing exists there. The root always exists. */
  Optional<PathContent> find(ReadTransaction tr, String tenant, Workspace workspace, FilePath path);

  /** Creates or replaces a file. */
  void write(Write write, Workspace workspace, FilePath path, byte[] content, byte[] sha256);
}
