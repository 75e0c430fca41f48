package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.workspace.v1.Workspace;
import java.util.Optional;

/** Where the files of workspaces lie. Whatever keeps them, the same holds of them. */
public interface WorkspaceFiles {
  /** How many files a workspace has at most, and so a directory entries. */
  int MOST_FILES = 2000;

  /** How many bytes the files of a workspace have at most. */
  long MOST_BYTES = 256L << 20;

  /** How many bytes a file has at most. */
  int MOST_BYTES_OF_FILE = 1 << 20;

  /** Returns what lies at a path; the root is always there. */
  Optional<Found> find(ReadTransaction tr, String tenant, Workspace workspace, FilePath path);

  /** Puts a file there, as a new one or in the place of the one that is there. */
  void write(Write write, Workspace workspace, FilePath path, byte[] content, byte[] sha256);
}
