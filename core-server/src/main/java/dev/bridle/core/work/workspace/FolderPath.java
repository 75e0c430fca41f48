package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.folder.OpenFolder;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** A path of folder names below an open folder, which is opened one name at a time. */
final class FolderPath {
  private final OpenFolder from;
  private final List<String> names;
  private final Optional<WorkspaceRoot> maker;
  private final Optional<IntFunction<ProtocolException>> fileError;

  private FolderPath(
      OpenFolder from,
      List<String> names,
      Optional<WorkspaceRoot> maker,
      Optional<IntFunction<ProtocolException>> fileError) {
    this.from = from;
    this.names = names;
    this.maker = maker;
    this.fileError = fileError;
  }

  /** Creates a path of folder names. */
  static FolderPath within(OpenFolder from, List<String> names) {
    return new FolderPath(from, names, Optional.empty(), Optional.empty());
  }

  /** Returns this path, creating missing folders. */
  FolderPath creatingMissing(WorkspaceRoot root) {
    return new FolderPath(from, names, Optional.of(root), fileError);
  }

  /**
   * Returns this path, failing if a file has the name of a folder; without this, the result is
   * empty.
   *
   * @param why the error, by the index of the file's name in the path
   */
  FolderPath failingAtFile(IntFunction<ProtocolException> why) {
    return new FolderPath(from, names, maker, Optional.of(why));
  }

  /** An operation in the last folder. */
  interface InFolder<R> {
    Optional<R> run(OpenFolder folder) throws IOException;
  }

  /** Runs an operation in the last folder; empty if a folder is missing. */
  <R> Optional<R> inFolder(InFolder<R> work) throws IOException {
    OpenFolder at = from;
    try {
      for (int i = 0; i < names.size(); i++) {
        Optional<OpenFolder> next = next(at, i);
        if (next.isEmpty()) {
          return Optional.empty();
        }
        close(at);
        at = next.get();
      }
      return work.run(at);
    } finally {
      close(at);
    }
  }

  private Optional<OpenFolder> next(OpenFolder at, int index) throws IOException {
    String name = names.get(index);
    Optional<PosixFileAttributes> there = at.look(name);
    if (there.isEmpty() && maker.isPresent()) {
      maker.get().make(at, name);
      there = at.look(name);
    }
    if (there.isEmpty()) {
      return Optional.empty();
    }
    if (!FolderFiles.isPlain(there.get())) {
      throw FileErrors.notPlain();
    }
    if (there.get().isRegularFile()) {
      if (fileError.isPresent()) {
        throw fileError.get().apply(index);
      }
      return Optional.empty();
    }
    return Optional.of(at.open(name));
  }

  /** Closes a folder, except the one that the path begins at. */
  private void close(OpenFolder folder) throws IOException {
    if (folder != from) {
      folder.close();
    }
  }
}
