package dev.bridle.folder;

import java.io.Closeable;
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
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
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
 * An open folder. All operations are relative to the open handle, by a single name, and never
 * follow links, even if the folder's path is replaced meanwhile.
 */
public final class OpenFolder implements Closeable {
  /** The reserved prefix of temporary names. */
  public static final String TEMPORARY = ".bridle-";

  private final SecureDirectoryStream<Path> folder;

  private OpenFolder(SecureDirectoryStream<Path> folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder, following links to it; empty if the platform has no secure directory streams.
   */
  @SuppressWarnings("StreamResourceLeak") // Closed by the returned folder.
  public static Optional<OpenFolder> at(Path path) throws IOException {
    DirectoryStream<Path> open = Files.newDirectoryStream(path);
    if (open instanceof SecureDirectoryStream<Path> secure) {
      return Optional.of(new OpenFolder(secure));
    }
    open.close();
    return Optional.empty();
  }

  /** Returns what identifies the folder in its file system; empty if that has no such keys. */
  public Optional<Object> key() throws IOException {
    return Optional.ofNullable(
        folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
  }

  /** Returns the attributes of an entry, without following links. */
  public Optional<PosixFileAttributes> look(String name) throws IOException {
    return look(Path.of(name));
  }

  /** Returns the attributes of one of the {@link #entries}. */
  public Optional<PosixFileAttributes> look(Path entry) throws IOException {
    try {
      return Optional.of(
          folder
              .getFileAttributeView(entry, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /** As {@link #open(Path)}. */
  public OpenFolder open(String name) throws IOException {
    return open(Path.of(name));
  }

  /**
   * Opens a subfolder. Call {@link #look} first, since opening a pipe would block.
   *
   * @throws NotPlainException if it was replaced by something else
   */
  public OpenFolder open(Path name) throws IOException {
    try {
      return new OpenFolder(folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    } catch (NotDirectoryException swapped) {
      throw new NotPlainException(name.toString());
    } catch (FileSystemException failed) {
      if (metLink(failed, name)) {
        throw new NotPlainException(name.toString());
      }
      throw failed;
    }
  }

  /**
   * Reads a file. Call {@link #look} first.
   *
   * @return at most {@code most} + 1 bytes
   * @throws NotPlainException if it was replaced by a link
   */
  public byte[] read(Path name, int most) throws IOException {
    try (SeekableByteChannel file =
            folder.newByteChannel(
                name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        InputStream in = Channels.newInputStream(file)) {
      return in.readNBytes(most + 1);
    } catch (IOException failed) {
      if (metLink(failed, name)) {
        throw new NotPlainException(name.toString());
      }
      throw failed;
    }
  }

  /** Java has no specific error for links, and the link may already be gone. */
  private boolean metLink(IOException failed, Path name) throws IOException {
    String said = String.valueOf(failed.getMessage());
    return said.contains("symbolic link")
        || said.contains("NOFOLLOW_LINKS")
        || look(name).filter(is -> !is.isDirectory() && !is.isRegularFile()).isPresent();
  }

  /** As {@link #read(Path, int)}. */
  public byte[] read(String name, int most) throws IOException {
    return read(Path.of(name), most);
  }

  /** As {@link #put(Path, byte[], Optional)}. */
  public void put(String name, byte[] content, Optional<Set<PosixFilePermission>> permissions)
      throws IOException {
    put(Path.of(name), content, permissions);
  }

  /**
   * Writes a file atomically and durably: what reads it meanwhile has the old content or the new
   * one. An existing entry of the name is replaced, not written to.
   *
   * @param permissions those of the file, which nobody may ever exceed; empty: those of a new file
   */
  public void put(Path name, byte[] content, Optional<Set<PosixFilePermission>> permissions)
      throws IOException {
    String fresh = TEMPORARY + UUID.randomUUID();
    try {
      write(fresh, content, permissions);
      folder.move(Path.of(fresh), folder, name);
    } catch (IOException failed) {
      try {
        folder.deleteFile(Path.of(fresh));
      } catch (NoSuchFileException never) {
        // It was not made.
      } catch (IOException left) {
        failed.addSuppressed(left);
      }
      throw failed;
    }
    force();
  }

  /**
   * Creates a file durably.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  public void make(String name, byte[] content) throws IOException {
    write(name, content, Optional.empty());
    force();
  }

  private void write(String name, byte[] content, Optional<Set<PosixFilePermission>> permissions)
      throws IOException {
    FileAttribute<?>[] attributes =
        permissions
            .map(given -> new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(given)})
            .orElseGet(() -> new FileAttribute<?>[0]);
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel file =
        (FileChannel) folder.newByteChannel(Path.of(name), options, attributes)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      if (permissions.isPresent()) { // The umask may have taken some away.
        folder
            .getFileAttributeView(
                Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setPermissions(permissions.get());
      }
      file.force(true);
    }
  }

  /** Moves an empty folder from another folder into this one. */
  public void take(OpenFolder from, String given, String name) throws IOException {
    from.folder.move(Path.of(given), folder, Path.of(name));
    force();
  }

  /** Removes an empty folder. */
  public void removeFolder(String name) throws IOException {
    folder.deleteDirectory(Path.of(name));
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

  /** Returns up to {@code most} + 1 names, including undecodable ones, without temporary ones. */
  public List<Path> entries(int most) throws IOException {
    List<Path> entries = new ArrayList<>();
    try {
      for (Path entry : folder) {
        if (entries.size() > most) {
          break;
        }
        if (!entry.getFileName().toString().startsWith(TEMPORARY)) {
          entries.add(entry.getFileName());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
