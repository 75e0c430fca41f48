package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The paths that people were shown of an action: each one-line text may be one, and each header of
 * a patch may have one.
 */
final class ShownPaths {
  private static final int MAX_PATH = 4096;
  private static final List<String> HEADERS = List.of("*** ", "+++ ", "--- ", "Index:", "diff ");

  private final Path folder;
  private final Set<String> paths = new HashSet<>();
  private final Set<String> headers = new HashSet<>();

  private ShownPaths(Path folder) {
    this.folder = folder;
  }

  /** Returns the paths in a value, which are meant from a folder. */
  static ShownPaths of(JsonNode value, Path folder) {
    return new ShownPaths(folder).with(value);
  }

  /** Returns these paths and those of another value. */
  ShownPaths with(JsonNode value) {
    ShownPaths more = new ShownPaths(folder);
    more.paths.addAll(paths);
    more.headers.addAll(headers);
    more.collect(value);
    return more;
  }

  private void collect(JsonNode value) {
    if (value.isTextual()) {
      add(value.textValue());
    }
    value.properties().forEach(member -> addPath(member.getKey()));
    value.forEach(this::collect);
  }

  private void add(String text) {
    if (text.indexOf('\n') < 0) {
      addPath(text);
      return;
    }
    text.lines()
        .filter(line -> HEADERS.stream().anyMatch(line::startsWith))
        .filter(line -> line.length() <= MAX_PATH)
        .forEach(headers::add);
  }

  private void addPath(String text) {
    if (text.length() <= MAX_PATH) {
      paths.add(normal(text));
    }
  }

  /** Returns whether a text of one line is this path, however it is spelled. */
  boolean name(String path) {
    return paths.contains(normal(path));
  }

  /** Returns whether a path was shown, also in the header of a patch. */
  boolean has(String path) {
    String normal = normal(path);
    if (paths.contains(normal)) {
      return true;
    }
    String root = folder + "/";
    String inside = normal.startsWith(root) ? normal.substring(root.length()) : normal;
    return headers.stream()
        .anyMatch(
            line ->
                line.contains(" " + inside)
                    || line.contains("/" + inside)
                    || line.contains(" " + normal));
  }

  /** Returns a path as paths are compared. */
  String normal(String path) {
    try {
      return folder.resolve(path).normalize().toString();
    } catch (InvalidPathException e) {
      return path;
    }
  }
}
