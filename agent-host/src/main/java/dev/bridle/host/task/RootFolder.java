package dev.bridle.host.task;

import dev.bridle.folder.OpenFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/**
 * The folder of a task, as it was when the task's tools were created. An agent can rename the
 * folder and create another one, or a link, with its path; the key distinguishes them.
 *
 * @param path the path without links
 * @param key identifies the folder in its file system; empty if the platform has no such keys
 */
record RootFolder(Path path, Optional<Object> key) {
  /**
   * Reads the key of a folder.
   *
   * @throws IOException if there is none with this path
   */
  static RootFolder of(Path path) throws IOException {
    return new RootFolder(
        path,
        Optional.ofNullable(
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey()));
  }

  /**
   * Opens a folder below, one name at a time.
   *
   * @param below the path from here; empty: this folder itself
   * @throws FileSystemException if this folder was replaced, a name on the way is no folder (any
   *     more), or the platform can't open folders without following links
   */
  OpenFolder open(Path below) throws IOException {
    OpenFolder at = open();
    for (Path name : below) {
      if (!name.toString().isEmpty()) {
        try (OpenFolder parent = at) {
          if (parent.look(name).filter(PosixFileAttributes::isDirectory).isEmpty()) {
            throw new NoSuchFileException(name.toString(), null, "there is no such folder");
          }
          at = parent.open(name);
        }
      }
    }
    return at;
  }

  /** Opens it by its path, which follows links; so what was opened is compared. */
  private OpenFolder open() throws IOException {
    Optional<OpenFolder> open = key.isEmpty() ? Optional.empty() : OpenFolder.at(path);
    if (open.isEmpty()) {
      throw new FileSystemException(
          path.toString(), null, "this platform can't open files without following links");
    }
    if (!open.get().key().equals(key)) {
      open.get().close();
      throw new FileSystemException(
          path.toString(), null, "the folder was replaced since the task began");
    }
    return open.get();
  }
}
