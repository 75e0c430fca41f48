package dev.bridle.core.work.workspace;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/** Counts what lies in a folder, until it is more than a workspace can hold. */
final class Tally {
  /** No path of a file leads deeper. */
  private static final int DEPTH = 32;

  /** As many folders as files could need. */
  private static final int MOST_FOLDERS = WorkspaceFiles.MOST_FILES * DEPTH;

  private long files;
  private long bytes;
  private int folders;

  /** Counts a folder with all that lies in it. */
  void count(OpenFolder folder) throws IOException {
    count(folder, 1);
  }

  private void count(OpenFolder folder, int depth) throws IOException {
    folders++;
    for (Path name : folder.entries(WorkspaceFiles.MOST_FILES)) {
      if (!hasRoom(0, 0)) {
        return;
      }
      Optional<PosixFileAttributes> there = folder.look(name);
      if (there.isEmpty()) {
        continue;
      }
      if (!there.get().isDirectory()) {
        files++;
        bytes += there.get().size();
      } else if (depth < DEPTH) {
        try (OpenFolder inner = folder.open(name)) {
          count(inner, depth + 1);
        } catch (NoSuchFileException gone) {
          folders++;
        }
      }
    }
  }

  /** Returns whether so much more can be held. */
  boolean hasRoom(int moreFiles, long moreBytes) {
    return folders <= MOST_FOLDERS
        && files + moreFiles <= WorkspaceFiles.MOST_FILES
        && bytes + moreBytes <= WorkspaceFiles.MOST_BYTES;
  }
}
