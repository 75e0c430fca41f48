package dev.bridle.core.work.workspace;

import dev.bridle.folder.OpenFolder;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/** Counts the files and bytes of a folder, up to the limits of a workspace. */
final class FolderUsage {
  /** The maximum depth of file paths. */
  private static final int DEPTH = 32;

  /** The maximum number of folders. */
  private static final int MOST_FOLDERS = WorkspaceFiles.MOST_FILES * DEPTH;

  private long files;
  private long bytes;
  private int folders;

  /** Counts a folder recursively. */
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

  /** Returns whether more files and bytes fit within the limits. */
  boolean hasRoom(int moreFiles, long moreBytes) {
    return folders <= MOST_FOLDERS
        && files + moreFiles <= WorkspaceFiles.MOST_FILES
        && bytes + moreBytes <= WorkspaceFiles.MOST_BYTES;
  }
}
