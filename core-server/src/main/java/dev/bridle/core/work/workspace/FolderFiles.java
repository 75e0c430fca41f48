package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.command.Write;
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
 * Keeps the files of workspaces in folders of the machine: {@code root/tenant/folder/path}. Each
 * step of a path is taken from the folder before it, which is open, and never through a link.
 *
 * <p>A file is written before its event is committed. Where the commit fails for good, the file
 * stays, whole; where it has to be tried again, the file is written again, so that the newest event
 * tells the newest file.
 */
final class FolderFiles implements WorkspaceFiles {
  private static final Logger log = LoggerFactory.getLogger(FolderFiles.class);
  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final int TURNS = 64;
  private static final int TRIES = 5;

  private final WorkspaceRoot root;

  /** Writes to one folder take turns, so that its bounds hold. */
  private final List<Object> turns =
      IntStream.range(0, TURNS).mapToObj(turn -> new Object()).toList();

  FolderFiles(WorkspaceRoot root) {
    this.root = root;
  }

  /** Work on files. */
  private interface FileWork<R> {
    R run() throws IOException;
  }

  @Override
  public Optional<Found> find(
      ReadTransaction tr, String tenant, Workspace workspace, FilePath path) {
    List<String> top = top(tenant, workspace);
    List<String> parts = parts(path);
    return told(
        () -> {
          try {
            return path.isRoot() ? Optional.of(root(top)) : found(top, parts, path);
          } catch (NoSuchFileException gone) {
            return Optional.empty();
          }
        });
  }

  /** A folder is made by the first write to it, and empty until then. */
  private Found root(List<String> top) throws IOException {
    return Way.within(root.folder(), top)
        .inFolder(folder -> Optional.of(listed(folder, FilePath.ROOT)))
        .orElseGet(() -> new Found.Directory(List.of()));
  }

  private Optional<Found> found(List<String> top, List<String> parts, FilePath path)
      throws IOException {
    String name = parts.get(parts.size() - 1);
    return Way.within(root.folder(), joined(top, parts.subList(0, parts.size() - 1)))
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

  private static Found text(OpenFolder folder, String name, PosixFileAttributes is)
      throws IOException {
    if (is.size() > MOST_BYTES_OF_FILE) {
      throw FileTrouble.tooLong(is.size());
    }
    byte[] content = folder.read(name, MOST_BYTES_OF_FILE);
    if (content.length > MOST_BYTES_OF_FILE) {
      throw FileTrouble.tooLong(content.length);
    }
    try {
      // A decoder of its own refuses what is no text; a String would have other letters there.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return new Found.TextFile(text, content.length);
    } catch (CharacterCodingException e) {
      throw FileTrouble.noText();
    }
  }

  private static Found listed(OpenFolder folder, FilePath path) throws IOException {
    List<Path> names = folder.entries(MOST_FILES);
    if (names.size() > MOST_FILES) {
      throw FileTrouble.tooMany();
    }
    List<WorkspaceFileEntry> entries = new ArrayList<>();
    for (Path name : names) {
      entry(folder, name, path).ifPresent(entries::add);
    }
    entries.sort(Comparator.comparing(WorkspaceFileEntry::getName));
    return new Found.Directory(entries);
  }

  /** What no path can name is no file of the workspace; links and the like are none either. */
  private static Optional<WorkspaceFileEntry> entry(OpenFolder folder, Path entry, FilePath in)
      throws IOException {
    String name = entry.toString();
    String path = in.below() + name;
    if (!FilePath.spells(path) || !spells(name, entry)) {
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

  /** A name that is no text in the locale's encoding is shown by other letters. */
  private static boolean spells(String name, Path entry) {
    try {
      return Path.of(name).equals(entry);
    } catch (InvalidPathException unspeakable) {
      return false;
    }
  }

  @Override
  public void write(
      Write write, Workspace workspace, FilePath path, byte[] content, byte[] sha256) {
    List<String> top = top(write.tenant(), workspace);
    List<String> parts = parts(path);
    synchronized (turns.get(Math.floorMod(top.hashCode(), TURNS))) {
      told(
          () -> {
            for (int i = 0; i < TRIES; i++) {
              try {
                put(top, parts, path, content);
                return true;
              } catch (NoSuchFileException swapped) {
                log.debug("A folder on the way to a file went away.", swapped);
              }
            }
            throw FileTrouble.changing();
          });
    }
  }

  private void put(List<String> top, List<String> parts, FilePath path, byte[] content)
      throws IOException {
    String name = parts.get(parts.size() - 1);
    List<String> way = joined(top, parts.subList(0, parts.size() - 1));
    Optional<PosixFileAttributes> before =
        Way.within(root.folder(), way)
            .blaming(at -> FileTrouble.fileInTheWay(directory(path, at - top.size())))
            .inFolder(folder -> folder.look(name));
    before.ifPresent(FolderFiles::needPlain);
    if (before.filter(PosixFileAttributes::isDirectory).isPresent()) {
      throw FileTrouble.directoryInTheWay(path);
    }
    needRoom(top, before, content.length);
    Way.within(root.folder(), way)
        .making(root)
        .blaming(at -> FileTrouble.fileInTheWay(directory(path, at - top.size())))
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
    Tally tally = new Tally();
    var unused =
        Way.within(root.folder(), top)
            .inFolder(
                folder -> {
                  tally.count(folder);
                  return Optional.of(true);
                });
    if (!tally.hasRoom(
        before.isPresent() ? 0 : 1, size - before.map(PosixFileAttributes::size).orElse(0L))) {
      throw FileTrouble.full();
    }
  }

  /** The directory of a path that has so many parts and one more; the folder itself has none. */
  private static FilePath directory(FilePath path, int at) {
    return at < 0 ? FilePath.ROOT : path.directories().get(at);
  }

  private static void needPlain(PosixFileAttributes is) {
    if (!isPlain(is)) {
      throw FileTrouble.notPlain();
    }
  }

  static boolean isPlain(PosixFileAttributes is) {
    return is.isRegularFile() || is.isDirectory();
  }

  private static List<String> top(String tenant, Workspace workspace) {
    // Tenants are made with such ids alone; a folder is no place to find out otherwise.
    if (!TENANT.matcher(tenant).matches()) {
      throw new IllegalStateException("the tenant's id is no name of a folder");
    }
    return List.of(tenant, FolderName.of(workspace.getRoot()).text());
  }

  private static List<String> parts(FilePath path) {
    List<String> parts = path.isRoot() ? List.of() : Arrays.asList(path.text().split("/"));
    if (parts.stream().anyMatch(part -> part.startsWith(OpenFolder.TEMPORARY))) {
      throw FileTrouble.reserved();
    }
    return parts;
  }

  private static List<String> joined(List<String> top, List<String> parts) {
    List<String> all = new ArrayList<>(top);
    all.addAll(parts);
    return all;
  }

  private static <R> R told(FileWork<R> work) {
    try {
      return work.run();
    } catch (InvalidPathException e) {
      throw FileTrouble.unspeakable();
    } catch (IOException e) {
      log.warn("A folder of a workspace can't be used.", e);
      throw FileTrouble.unusable();
    }
  }
}
