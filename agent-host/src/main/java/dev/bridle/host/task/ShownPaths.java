package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths that people were shown of an action: each one-line text may be one, and each header of
 * a patch may have one. The beginning or the end of a path is another path.
 */
final class ShownPaths {
  private static final int MAX_PATH = 4096;

  private static final List<String> HEADERS = List.of("*** ", "+++ ", "--- ", "Index:");

  /** A file is twice in it. */
  private static final Pattern COMPARED = Pattern.compile("diff (?:-\\S+ )*(?<files>.*)");

  /** What patches put before the paths of both texts. */
  private static final Pattern SIDE = Pattern.compile("[abciow]/(?=.)");

  /** What may follow a path: when it was changed. */
  private static final Pattern TIME = Pattern.compile(" \\d{4}-\\d\\d-\\d\\d\\b");

  private final Path folder;
  private final Set<String> paths = new HashSet<>();
  private final Set<String> headers = new HashSet<>();

  /** The relative paths in headers, which may be meant from a folder above. */
  private final Set<String> relative = new HashSet<>();

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
    more.relative.addAll(relative);
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
    text.lines().filter(line -> line.length() <= MAX_PATH).forEach(this::addHeader);
  }

  private void addHeader(String line) {
    HEADERS.stream()
        .filter(line::startsWith)
        .map(header -> line.substring(header.length()))
        .forEach(this::addNamed);
    Matcher compared = COMPARED.matcher(line);
    if (compared.matches()) {
      String files = compared.group("files");
      int middle = files.length() / 2;
      if (middle > 0 && files.charAt(middle) == ' ') {
        addPatched(files.substring(0, middle));
        addPatched(files.substring(middle + 1));
      }
    }
  }

  /** Adds the path that follows a header's beginning, without what follows that. */
  private void addNamed(String rest) {
    int tab = rest.indexOf('\t');
    String named = (tab < 0 ? rest : rest.substring(0, tab)).strip();
    int operation = named.indexOf(": ");
    if (operation > 0) {
      addPatched(named.substring(operation + 2).strip());
    }
    addPatched(named);
    Matcher time = TIME.matcher(named);
    if (time.find()) {
      addPatched(named.substring(0, time.start()).strip());
    }
    int remark = named.lastIndexOf(" (");
    if (remark > 0 && named.endsWith(")")) {
      addPatched(named.substring(0, remark).strip());
    }
  }

  private void addPatched(String named) {
    boolean isQuoted = named.length() > 2 && named.startsWith("\"") && named.endsWith("\"");
    String path = isQuoted ? named.substring(1, named.length() - 1) : named;
    addHeaderPath(path);
    addHeaderPath(SIDE.matcher(path).lookingAt() ? path.substring(2) : path);
  }

  private void addHeaderPath(String path) {
    headers.add(normal(path));
    try {
      relative.add(Path.of(path).normalize().toString());
    } catch (InvalidPathException e) {
      // It is compared as it is spelled.
    }
  }

  private void addPath(String text) {
    if (!text.isBlank() && text.length() <= MAX_PATH) {
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
    return paths.contains(normal) || headers.contains(normal) || isMeantFromAbove(normal);
  }

  /** Patches may name the files of the folder from one above, such as the repository's. */
  private boolean isMeantFromAbove(String file) {
    if (relative.isEmpty() || !file.startsWith(folder + "/")) {
      return false;
    }
    String inside = file.substring(folder.toString().length() + 1);
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      if (relative.contains(above.relativize(folder) + "/" + inside)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a path as paths are compared. */
  String normal(String path) {
    try {
      return folder.resolve(path).normalize().toString();
    } catch (InvalidPathException e) {
      return path;
    }
  }

  /** Returns about how much memory they take. */
  long bytes() {
    return bytes(paths) + bytes(headers) + bytes(relative);
  }

  private static long bytes(Set<String> texts) {
    return texts.stream().mapToLong(String::length).sum();
  }
}
