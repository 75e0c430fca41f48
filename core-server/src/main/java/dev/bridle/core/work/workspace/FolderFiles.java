package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.folder.NotPlainException;
import dev.bridle.folder.OpenFolder;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceFileEntry;
import dev.bridle.workspace.v1.WorkspaceFileKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the files of workspaces in folders of the machine: {@code root/tenant/folder/path}. Each
 * part of a path is opened relative to the open parent folder, and links are never followed.
 *
 * <p>A file is written before its event is committed. If the commit fails, the complete file stays;
 * if it is retried, the file is written again, so that the newest event matches the newest file.
 */
final class FolderFiles implements WorkspaceFiles {
  private static final Logger log = LoggerFactory.getLogger(FolderFiles.class);
  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final int LOCKS = 64;
  private static final int TRIES = 5;

  private final WorkspaceRoot root;

  /** Locks that serialize writes to a folder, so that its limits hold. */
  private final List<Object> locks =
      IntStream.range(0, LOCKS).mapToObj(lock -> new Object()).toList();

  FolderFiles(WorkspaceRoot root) {
    this.root = root;
  }

  /** An operation on files. */
  private interface FileWork<R> {
    R run() throws IOException;
  }

  @Override
  public Optional<PathContent> find(
      ReadTransaction tr, String tenant, Workspace workspace, FilePath path) {
    List<String> top = top(tenant, workspace);
    List<String> parts = parts(path);
    return mapErrors(
        () -> {
          try {
            return path.isRoot() ? Optional.of(root(top)) : found(top, parts, path);
          } catch (NoSuchFileException gone) {
            return Optional.empty();
          }
        });
  }

  /** A folder is created by the first write to it, and listed as empty until then. */
  private PathContent root(List<String> top) throws IOException {
    return FolderPath.within(root.folder(), top)
        .inFolder(folder -> Optional.of(listed(folder, FilePath.ROOT)))
        .orElseGet(() -> new PathContent.Directory(List.of()));
  }

  private Optional<PathContent> found(List<String> top, List<String> parts, FilePath path)
      throws IOException {
    String name = parts.get(parts.size() - 1);
    return FolderPath.within(root.folder(), joined(top, parts.subList(0, parts.size() - 1)))
        .inFolder(
            folder -> {
              Optional<PosixFileAttributes> there = folder.look(name);
              if (there.isEmpty()) {
                return Optional.empty();
              }
              needPlain(there.get());
              if (there.get().isRegularFile()) {
                return Optional.of(text(folder, name, there.get()));
              }
              try (OpenFolder inner = folder.open(name)) {
                return Optional.of(listed(inner, path));
              }
            });
  }

  private static PathContent text(OpenFolder folder, String name, PosixFileAttributes is)
      throws IOException {
    if (is.size() > MOST_BYTES_OF_FILE) {
      throw FileErrors.fileTooLarge(is.size());
    }
    byte[] content = folder.read(name, MOST_BYTES_OF_FILE);
    if (content.length > MOST_BYTES_OF_FILE) {
      throw FileErrors.fileTooLarge(content.length);
    }
    try {
      // A strict decoder rejects invalid UTF-8, which a String constructor would replace.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return new PathContent.TextFile(text, content.length);
    } catch (CharacterCodingException e) {
      throw FileErrors.notText();
    }
  }

  private static PathContent listed(OpenFolder folder, FilePath path) throws IOException {
    List<Path> names = folder.entries(MOST_FILES);
    if (names.size() > MOST_FILES) {
      throw FileErrors.directoryTooLarge();
    }
    List<WorkspaceFileEntry> entries = new ArrayList<>();
    for (Path name : names) {
      entry(folder, name, path).ifPresent(entries::add);
    }
    entries.sort(Comparator.comparing(WorkspaceFileEntry::getName));
    return new PathContent.Directory(entries);
  }

  /** Skips entries that no path can name, links and special files. */
  private static Optional<WorkspaceFileEntry> entry(OpenFolder folder, Path entry, FilePath in)
      throws IOException {
    String name = entry.toString();
    String path = in.below() + name;
    if (!FilePath.isNormalized(path) || !isEncodable(name, entry)) {
      return Optional.empty();
    }
    Optional<PosixFileAttributes> there = folder.look(entry).filter(FolderFiles::isPlain);
    return there.map(
        is ->
            WorkspaceFileEntry.newBuilder()
                .setName(name)
                .setPath(path)
                .setKind(
                    is.isDirectory()
                        ? WorkspaceFileKind.WORKSPACE_FILE_KIND_DIRECTORY
                        : WorkspaceFileKind.WORKSPACE_FILE_KIND_FILE)
                .setSize(is.isDirectory() ? 0 : is.size())
                .build());
  }

  /** Returns whether a name survives the locale's encoding. */
  private static boolean isEncodable(String name, Path entry) {
    try {
      return Path.of(name).equals(entry);
    } catch (InvalidPathException notEncodable) {
      return false;
    }
  }

  @Override
  public void write(
      Write write, Workspace workspace, FilePath path, byte[] content, byte[] sha256) {
    List<String> top = top(write.tenant(), workspace);
    List<String> parts = parts(path);
    synchronized (locks.get(Math.floorMod(top.hashCode(), LOCKS))) {
      mapErrors(
          () -> {
            for (int i = 0; i < TRIES; i++) {
              try {
                put(top, parts, path, content);
                return true;
              } catch (NoSuchFileException swapped) {
                log.debug("A parent folder of a file disappeared.", swapped);
              }
            }
            throw FileErrors.changing();
          });
    }
  }

  private void put(List<String> top, List<String> parts, FilePath path, byte[] content)
      throws IOException {
    String name = parts.get(parts.size() - 1);
    List<String> folders = joined(top, parts.subList(0, parts.size() - 1));
    Optional<PosixFileAttributes> before =
        FolderPath.within(root.folder(), folders)
            .failingAtFile(at -> FileErrors.fileInTheWay(directory(path, at - top.size())))
            .inFolder(folder -> folder.look(name));
    before.ifPresent(FolderFiles::needPlain);
    if (before.filter(PosixFileAttributes::isDirectory).isPresent()) {
      throw FileErrors.directoryInTheWay(path);
    }
    needRoom(top, before, content.length);
    FolderPath.within(root.folder(), folders)
        .creatingMissing(root)
        .failingAtFile(at -> FileErrors.fileInTheWay(directory(path, at - top.size())))
        .inFolder(
            folder -> {
              folder.put(name, content, before.map(PosixFileAttributes::permissions));
              return Optional.of(true);
            });
  }

  private void needRoom(List<String> top, Optional<PosixFileAttributes> before, int size)
      throws IOException {
    if (before.isPresent() && size <= before.get().size()) {
      return;
    }
    FolderUsage tally = new FolderUsage();
    var unused =
        FolderPath.within(root.folder(), top)
            .inFolder(
                folder -> {
                  tally.count(folder);
                  return Optional.of(true);
                });
    if (!tally.hasRoom(
        before.isPresent() ? 0 : 1, size - before.map(PosixFileAttributes::size).orElse(0L))) {
      throw FileErrors.full();
    }
  }

  /** Returns the parent directory at an index of the path; below 0: the root. */
  private static FilePath directory(FilePath path, int at) {
    return at < 0 ? FilePath.ROOT : path.directories().get(at);
  }

  private static void needPlain(PosixFileAttributes is) {
    if (!isPlain(is)) {
      throw FileErrors.notPlain();
    }
  }

  static boolean isPlain(PosixFileAttributes is) {
    return is.isRegularFile() || is.isDirectory();
  }

  private static List<String> top(String tenant, Workspace workspace) {
    // Tenant ids always match; checked again, since the id becomes a folder name.
    if (!TENANT.matcher(tenant).matches()) {
      throw new IllegalStateException("the tenant's id is not a valid folder name");
    }
    return List.of(tenant, FolderName.of(workspace.getRoot()).text());
  }

  private static List<String> parts(FilePath path) {
    List<String> parts = path.isRoot() ? List.of() : Arrays.asList(path.text().split("/"));
    if (parts.stream().anyMatch(part -> part.startsWith(OpenFolder.TEMPORARY))) {
      throw FileErrors.reserved();
    }
    return parts;
  }

  private static List<String> joined(List<String> top, List<String> parts) {
    List<String> all = new ArrayList<>(top);
    all.addAll(parts);
    return all;
  }

  private static <R> R mapErrors(FileWork<R> work) {
    try {
      return work.run();
    } catch (InvalidPathException e) {
      throw FileErrors.notEncodable();
    } catch (NotPlainException e) {
      throw FileErrors.notPlain();
    } catch (IOException e) {
      log.warn("Using a workspace folder failed.", e);
      throw FileErrors.unusable();
    }
  }
}
