package dev.bridle.host.task;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An open folder. What lies below is opened one name at a time, relative to what is open, and no
 * link is followed: an agent that replaces a folder by a link meanwhile leads nowhere else.
 */
final class OpenFolder implements AutoCloseable {
  private final SecureDirectoryStream<Path> folder;

  private OpenFolder(SecureDirectoryStream<Path> folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder below another one.
   *
   * @param below the path from the root; empty: the root itself
   * @throws FileSystemException if the root was replaced, a name on the way is no folder (any
   *     more), or the platform can't open folders like this
   */
  static OpenFolder at(RootFolder root, Path below) throws IOException {
    OpenFolder at = of(root);
    for (Path name : below) {
      if (!name.toString().isEmpty()) {
        try (OpenFolder parent = at) {
          at = parent.open(name);
        }
      }
    }
    return at;
  }

  /** Opens the root by its path, which follows links; so what was opened is compared. */
  @SuppressWarnings("StreamResourceLeak") // Closed by the returned folder.
  private static OpenFolder of(RootFolder root) throws IOException {
    DirectoryStream<Path> open = Files.newDirectoryStream(root.path());
    try {
      if (!(open instanceof SecureDirectoryStream<Path> secure) || root.key().isEmpty()) {
        throw new FileSystemException(
            root.path().toString(), null, "this platform can't open files without following links");
      }
      Object key =
          secure.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
      if (!root.key().get().equals(key)) {
        throw new FileSystemException(
            root.path().toString(), null, "the folder was replaced since the task began");
      }
      return new OpenFolder(secure);
    } catch (IOException | RuntimeException refused) {
      open.close();
      throw refused;
    }
  }

  /** Opens a folder in this one; call {@link #look} before, since opening a pipe would block. */
  OpenFolder open(Path name) throws IOException {
    if (look(name).filter(PosixFileAttributes::isDirectory).isEmpty()) {
      throw new NoSuchFileException(name.toString(), null, "there is no such folder");
    }
    return new OpenFolder(folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
  }

  /** Returns the attributes of an entry, of a link itself; empty if there is none. */
  Optional<PosixFileAttributes> look(Path name) throws IOException {
    try {
      return Optional.of(
          folder
              .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /** Returns up to {@code most} names, in no order. */
  List<Path> names(int most) throws IOException {
    List<Path> names = new ArrayList<>();
    try {
      for (Path entry : folder) {
        if (names.size() == most) {
          break;
        }
        names.add(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Reads a file that {@link #look} has found; returns up to {@code most} + 1 bytes. */
  byte[] read(Path name, int most) throws IOException {
    try (SeekableByteChannel file =
            folder.newByteChannel(
                name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        InputStream in = Channels.newInputStream(file)) {
      return in.readNBytes(most + 1);
    }
  }

  /**
   * Writes a file as a whole and durably: what reads it meanwhile has the old content or the new
   * one, and nobody reads it who may not.
   */
  void put(Path name, byte[] content, Set<PosixFilePermission> mode) throws IOException {
    Path fresh = Path.of(".bridle" + UUID.randomUUID() + ".tmp");
    try {
      write(fresh, content, mode);
      folder.move(fresh, folder, name);
    } catch (IOException failed) {
      remove(fresh, failed);
      throw failed;
    }
    force();
  }

  /** Makes changes of names durable. */
  private void force() throws IOException {
    try (FileChannel itself =
        (FileChannel)
            folder.newByteChannel(
                Path.of("."), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      itself.force(true);
    }
  }

  private void write(Path fresh, byte[] content, Set<PosixFilePermission> mode) throws IOException {
    try (FileChannel file =
        (FileChannel)
            folder.newByteChannel(
                fresh,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(mode))) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      // The umask may have taken some away.
      folder
          .getFileAttributeView(fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setPermissions(mode);
      file.force(true);
    }
  }

  private void remove(Path fresh, IOException failed) {
    try {
      folder.deleteFile(fresh);
    } catch (NoSuchFileException never) {
      // It was not made.
    } catch (IOException left) {
      failed.addSuppressed(left);
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
