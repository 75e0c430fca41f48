package dev.bridle.cli.portability;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.operations.portability.file.Header;
import dev.bridle.core.operations.portability.file.UnitEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The file that an export is written to until it is complete. Readable by its owner only, since it
 * contains all data of a tenant.
 */
final class PartFile implements AutoCloseable {
  private final Path path;
  private final Path target;
  private final FileChannel channel;
  private final Optional<Header> header;
  private final Optional<UnitEnd> lastUnit;

  private PartFile(
      Path path,
      Path target,
      FileChannel channel,
      Optional<Header> header,
      Optional<UnitEnd> lastUnit) {
    this.path = path;
    this.target = target;
    this.channel = channel;
    this.header = header;
    this.lastUnit = lastUnit;
  }

  /** Opens the part file of a target; with {@code resume}, keeps its complete units. */
  static PartFile open(Path target, boolean resume) throws IOException {
    Path path = target.resolveSibling(target.getFileName() + ".part");
    boolean there = Files.exists(path);
    if (there && !resume) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          path + " exists from an interrupted export. Continue it with --resume, or delete it.");
    }
    FileChannel channel =
        FileChannel.open(
            path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly(path));
    Optional<FileCheck> read = there ? Optional.of(ExportFile.readPart(path)) : Optional.empty();
    Optional<UnitEnd> unit = read.flatMap(FileCheck::lastUnit);
    channel.truncate(unit.isPresent() ? read.get().wholeTo() : 0);
    channel.position(channel.size());
    return new PartFile(path, target, channel, unit.map(end -> read.get().header()), unit);
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  Path path() {
    return path;
  }

  /** Returns the header if the part file has complete units. */
  Optional<Header> header() {
    return header;
  }

  /** Returns the cursor to resume from; empty means the beginning. */
  String cursor() {
    return lastUnit.map(UnitEnd::cursor).orElse("");
  }

  /** Returns the last complete unit; empty without one. */
  Optional<UnitEnd> lastUnit() {
    return lastUnit;
  }

  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  long size() throws IOException {
    return channel.size();
  }

  /**
   * Verifies the part file, appends the trailer, and renames the file to its target.
   *
   * @param signed what the server has signed of it
   */
  FileCheck finish(Optional<byte[]> signed) throws IOException {
    FileCheck check = ExportFile.read(path);
    if (check.wholeTo() != size()) {
      throw new CommandFailed(
          ExitCodes.FAILED, path + " differs from what was written to it. Check the disk.");
    }
    write(ByteBuffer.wrap(check.trailer(signed)));
    channel.force(true);
    FileCheck whole = ExportFile.read(path);
    whole.end();
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
    return whole;
  }

  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
