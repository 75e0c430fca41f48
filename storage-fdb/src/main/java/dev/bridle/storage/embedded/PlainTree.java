package dev.bridle.storage.embedded;

import dev.bridle.storage.BackupFailedException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A tree of files that somebody else may have made. RocksDB opens files by their paths: a link
 * would make it read and change what is elsewhere, and a pipe would make it wait for ever.
 */
final class PlainTree {
  private static final String LINKS = "unix:nlink";

  private PlainTree() {}

  /**
   * Requires that a folder has folders and regular files only, each under one name. Nothing is
   * opened.
   *
   * @throws BackupFailedException if it has anything else, or can't be read
   */
  static void require(Path folder) {
    if (!Files.exists(folder)) {
      return; // Whoever opens it says so.
    }
    try {
      boolean namesLinks = folder.getFileSystem().supportedFileAttributeViews().contains("unix");
      // The folder itself may be named by a link: whoever names it has chosen that.
      Files.walkFileTree(folder.toRealPath(), new Visitor(namesLinks));
    } catch (IOException e) {
      throw new BackupFailedException("The backup folder " + folder + " can't be read: " + e, e);
    }
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private final boolean namesLinks;

    Visitor(boolean namesLinks) {
      this.namesLinks = namesLinks;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isSymbolicLink()) {
        throw refused(file, "a link");
      }
      if (!attributes.isRegularFile()) {
        throw refused(file, "no regular file");
      }
      if (namesLinks && (Integer) Files.getAttribute(file, LINKS, LinkOption.NOFOLLOW_LINKS) > 1) {
        throw refused(file, "a file of several names");
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // Removed meanwhile.
      }
      throw failure;
    }
  }

  private static BackupFailedException refused(Path file, String what) {
    return new BackupFailedException(
        "The backup can't be used: "
            + file
            + " is "
            + what
            + ", and a backup has folders and regular files only. Copy it with 'cp -rL' if you"
            + " know what that is.");
  }
}
