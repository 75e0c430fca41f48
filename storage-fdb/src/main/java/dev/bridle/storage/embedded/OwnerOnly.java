package dev.bridle.storage.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts a directory to the user of the process: mode 0700 for directories, 0600 for files.
 * RocksDB creates its files with the umask, so the directory's mode protects them while it runs.
 * File systems without such modes are skipped.
 */
final class OwnerOnly {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private OwnerOnly() {}

  /** Restricts a directory to its owner, and logs a warning if it already had content. */
  static void close(Path directory) throws IOException {
    try {
      if (isOpen(directory)) {
        boolean held = isInUse(directory);
        Files.setPosixFilePermissions(directory, DIRECTORY);
        if (held) {
          LOG.warn(
              "Other users could read the directory {}; its mode is now 0700, and that of its"
                  + " files 0600.",
              directory);
        }
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "The mode of the directory {} can't be set to 0700 ({}); make sure that other users"
              + " can't read it.",
          directory,
          e.toString());
    }
  }

  /** Restricts existing files, and directories recursively. Links are not followed. */
  static void closeAll(List<Path> roots) {
    for (Path root : roots) {
      try (Stream<Path> all = Files.walk(root)) {
        all.forEach(OwnerOnly::closeOne);
      } catch (NoSuchFileException e) {
        LOG.debug("Nothing to close: {}", e.getMessage());
      } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
        LOG.warn("The modes of files in {} can't be set ({})", root, e.toString());
      }
    }
  }

  private static void closeOne(Path path) {
    try {
      PosixFileAttributeView view =
          Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view == null) {
        return;
      }
      PosixFileAttributes found = view.readAttributes();
      boolean isOpen = found.permissions().stream().anyMatch(OF_OTHERS::contains);
      if (isOpen && !found.isSymbolicLink()) {
        // By its path: to follow no link, the view would open the file, and whoever closes a file
        // gives up all locks that the process has on it.
        Files.setPosixFilePermissions(path, found.isDirectory() ? DIRECTORY : FILE);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("Gone meanwhile: {}", e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether others than the owner have any permission. */
  private static boolean isOpen(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    return view != null
        && view.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains);
  }

  private static boolean isInUse(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> !file.endsWith(DirectoryLock.FILE));
    }
  }
}
