package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.error.ProtocolException;
import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** The way from an open folder down to another, one name after the other. */
final class Way {
  private final OpenFolder from;
  private final List<String> names;
  private final Optional<WorkspaceRoot> maker;
  private final Optional<IntFunction<ProtocolException>> blame;

  private Way(
      OpenFolder from,
      List<String> names,
      Optional<WorkspaceRoot> maker,
      Optional<IntFunction<ProtocolException>> blame) {
    this.from = from;
    this.names = names;
    this.maker = maker;
    this.blame = blame;
  }

  /** Returns the way that passes over folders of those names. */
  static Way within(OpenFolder from, List<String> names) {
    return new Way(from, names, Optional.empty(), Optional.empty());
  }

  /** Returns this way, making the folders that are missing. */
  Way making(WorkspaceRoot root) {
    return new Way(from, names, Optional.of(root), blame);
  }

  /**
   * Returns this way, which fails where a file is in the way; there is nothing behind it otherwise.
   *
   * @param why what to fail with, by how many names come before the file's
   */
  Way blaming(IntFunction<ProtocolException> why) {
    return new Way(from, names, maker, Optional.of(why));
  }

  /** What is done in the folder at the end. */
  interface InFolder<R> {
    Optional<R> run(OpenFolder folder) throws IOException;
  }

  /** Goes there and does that; nothing is found where the way does not lead there. */
  <R> Optional<R> inFolder(InFolder<R> work) throws IOException {
    OpenFolder at = from;
    try {
      for (int i = 0; i < names.size(); i++) {
        Optional<OpenFolder> next = next(at, i);
        if (next.isEmpty()) {
          return Optional.empty();
        }
        leave(at);
        at = next.get();
      }
      return work.run(at);
    } finally {
      leave(at);
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
      throw FileTrouble.notPlain();
    }
    if (there.get().isRegularFile()) {
      if (blame.isPresent()) {
        throw blame.get().apply(index);
      }
      return Optional.empty();
    }
    return Optional.of(at.open(name));
  }

  /** Where a way begins stays open. */
  private void leave(OpenFolder folder) throws IOException {
    if (folder != from) {
      folder.close();
    }
  }
}
