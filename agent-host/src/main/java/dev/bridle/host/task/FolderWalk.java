package dev.bridle.host.task;

import dev.bridle.folder.OpenFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;

/** Goes through what lies below a path of a folder, each folder before its content. */
final class FolderWalk {
  /** Of one folder. */
  private static final int MOST_NAMES = 20_000;

  private final int depth;
  private final Visitor visitor;

  private FolderWalk(int depth, Visitor visitor) {
    this.depth = depth;
    this.visitor = visitor;
  }

  /** Takes what is met; links and special files are met, and not followed. */
  interface Visitor {
    /**
     * Takes an entry, and returns whether the walk goes on.
     *
     * @param in the folder that it lies in
     * @param path its path from the root
     * @param is its attributes
     */
    boolean visit(OpenFolder in, Path path, PosixFileAttributes is) throws IOException;
  }

  /**
   * Walks through what is below a path, or to the file that the path names.
   *
   * @param from the path from the root; empty: the root itself
   * @param depth how many folders deep
   * @return whether it came to the end
   */
  static boolean of(RootFolder root, Path from, int depth, Visitor visitor) throws IOException {
    FolderWalk walk = new FolderWalk(depth, visitor);
    if (from.toString().isEmpty()) {
      try (OpenFolder at = root.open(from)) {
        return walk.below(at, from, 1);
      }
    }
    Path parent = Optional.ofNullable(from.getParent()).orElse(Path.of(""));
    try (OpenFolder in = root.open(parent)) {
      Optional<PosixFileAttributes> is = in.look(from.getFileName());
      if (is.isEmpty()) {
        return true;
      }
      if (!is.get().isDirectory()) {
        return visitor.visit(in, from, is.get());
      }
      try (OpenFolder at = in.open(from.getFileName())) {
        return walk.below(at, from, 1);
      }
    }
  }

  private boolean below(OpenFolder at, Path path, int level) throws IOException {
    List<Path> names = at.entries(MOST_NAMES);
    for (Path name : names) {
      Optional<PosixFileAttributes> is = at.look(name);
      Path entry = path.resolve(name);
      if (is.isPresent() && !visitor.visit(at, entry, is.get())) {
        return false;
      }
      if (is.isPresent()
          && is.get().isDirectory()
          && level < depth
          && !inside(at, name, entry, level)) {
        return false;
      }
    }
    return names.size() <= MOST_NAMES;
  }

  private boolean inside(OpenFolder at, Path name, Path entry, int level) throws IOException {
    OpenFolder inner;
    try {
      inner = at.open(name);
    } catch (FileSystemException gone) {
      return true; // It was replaced meanwhile, or nobody may read it.
    }
    try (inner) {
      return below(inner, entry, level + 1);
    }
  }
}
