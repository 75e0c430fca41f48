package dev.bridle.host.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
}
