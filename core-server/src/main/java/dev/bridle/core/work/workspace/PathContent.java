package dev.bridle.core.work.workspace;

import dev.bridle.workspace.v1.WorkspaceFileEntry;
import java.util.List;

/** The content of a path of a workspace. */
public sealed interface PathContent {

  /**
   * A file.
   *
   * @param content the text
   * @param bytes its size in bytes
   */
  record TextFile(String content, long bytes) implements PathContent {}

  /**
   * A directory.
   *
   * @param entries its entries, ordered by name
   */
  record Directory(List<WorkspaceFileEntry> entries) implements PathContent {
    /** Copies the entries. */
    public Directory {
      entries = List.copyOf(entries);
    }
  }
}
