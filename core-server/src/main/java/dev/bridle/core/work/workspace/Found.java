package dev.bridle.core.work.workspace;

import dev.bridle.workspace.v1.WorkspaceFileEntry;
import java.util.List;

/** What lies at a path of a workspace. */
public sealed interface Found {

  /**
   * A file.
   *
   * @param content what it holds
   * @param bytes how many bytes that is
   */
  record TextFile(String content, long bytes) implements Found {}

  /**
   * A directory.
   *
   * @param entries what lies in it, in the order of names
   */
  record Directory(List<WorkspaceFileEntry> entries) implements Found {
    /** Copies the entries. */
    public Directory {
      entries = List.copyOf(entries);
    }
  }
}
