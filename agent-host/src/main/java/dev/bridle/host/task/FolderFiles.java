package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.v1.FileOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a folder, for tools: nothing outside of it is read or written, neither by a path nor
 * through a link, and no answer is longer than its bound.
 */
final class FolderFiles {
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_ENTRIES = 1000;
  private static final int MOST_HITS = 200;
  private static final int MOST_VISITED = 20_000;
  private static final int MOST_LINE = 500;
  private static final int MOST_SHOWN = 200 << 10;

  private final Path folder;

  /** Creates the files of a folder, by its path without links. */
  FolderFiles(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /**
   * A change of a file that is not made yet.
   *
   * @param before the hash of the content that it replaces, empty if there is no file
   * @param after the hash of the new content
   */
  record Change(Path path, String before, String after, String content) {
    /** What people see: the whole text, or its beginning where it is very long. */
    String shown() {
      return content.length() <= MOST_SHOWN ? content : content.substring(0, MOST_SHOWN);
    }

    SideEffect effect() {
      return SideEffect.fileWrite(
          path.toString(),
          before.isEmpty()
              ? FileOperation.FILE_OPERATION_CREATE
              : FileOperation.FILE_OPERATION_MODIFY,
          before,
          after);
    }
  }

  ObjectNode read(JsonNode arguments) throws ToolFailure, IOException {
    Path file = there(ToolSchema.text(arguments, "path"));
    int first = ToolSchema.number(arguments, "first_line", 1, Integer.MAX_VALUE);
    int most = ToolSchema.number(arguments, "lines", Integer.MAX_VALUE, Integer.MAX_VALUE);
    List<String> lines = text(file).lines().toList();
    List<String> wanted = lines.stream().skip(first - 1L).limit(most).toList();
    return JsonNodeFactory.instance
        .objectNode()
        .put("content", String.join("\n", wanted))
        .put("lines", lines.size());
  }

  ObjectNode list(JsonNode arguments) throws ToolFailure, IOException {
    Path from = there(arguments.path("path").asText("."));
    int depth = ToolSchema.number(arguments, "depth", 1, 20);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode entries = answer.putArray("entries");
    try (Stream<Path> below = Files.walk(from, depth)) {
      Iterator<Path> paths = below.filter(path -> !path.equals(from)).iterator();
      while (paths.hasNext() && entries.size() < MOST_ENTRIES) {
        Path path = paths.next();
        boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        entries.add(folder.relativize(path) + (isFolder ? "/" : ""));
      }
      return answer.put("truncated", paths.hasNext());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  ObjectNode search(JsonNode arguments) throws ToolFailure, IOException {
    String wanted = ToolSchema.text(arguments, "text");
    Path from = there(arguments.path("path").asText("."));
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode hits = answer.putArray("hits");
    int visited = 0;
    try (Stream<Path> below = Files.walk(from)) {
      Iterator<Path> paths = below.iterator();
      while (paths.hasNext() && hits.size() < MOST_HITS && visited < MOST_VISITED) {
        Path path = paths.next();
        visited++;
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          search(path, wanted, hits);
        }
      }
      return answer.put("truncated", paths.hasNext() || hits.size() >= MOST_HITS);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void search(Path file, String wanted, ArrayNode hits) throws IOException {
    List<String> lines;
    try {
      lines = text(file).lines().toList();
    } catch (ToolFailure e) {
      return; // No text, or too long.
    }
    for (int i = 0; i < lines.size() && hits.size() < MOST_HITS; i++) {
      String line = lines.get(i);
      if (line.contains(wanted)) {
        hits.addObject()
            .put("path", folder.relativize(file).toString())
            .put("line", i + 1)
            .put("text", line.substring(0, Math.min(line.length(), MOST_LINE)));
      }
    }
  }

  /** Prepares a change of a file, which may be new; its folder must be there. */
  Change change(JsonNode arguments) throws ToolFailure, IOException {
    String content = arguments.path("content").asText("");
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    if (!arguments.path("content").isTextual() || bytes.length > MOST_BYTES) {
      throw ToolFailure.of("content must be a text of at most " + MOST_BYTES + " bytes");
    }
    Path path = inside(ToolSchema.text(arguments, "path"));
    Path name = path.getFileName();
    if (name == null || path.equals(folder)) {
      throw ToolFailure.of("path must name a file");
    }
    Path target = real(path.getParent()).resolve(name);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      throw ToolFailure.of("path must name a file, not a folder or a link");
    }
    return new Change(target, hash(target), sha256(bytes), content);
  }

  /** Makes a change, if the file is still what it was when the change was prepared. */
  ObjectNode write(Change change) throws ToolFailure, IOException {
    if (!hash(change.path()).equals(change.before())) {
      throw ToolFailure.of("The file has changed meanwhile; read it, and ask again");
    }
    Path fresh = Files.createTempFile(change.path().getParent(), ".bridle", ".tmp");
    try {
      Files.writeString(fresh, change.content());
      keepMode(change.path(), fresh);
      Files.move(fresh, change.path(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    return JsonNodeFactory.instance.objectNode().put("sha256", change.after());
  }

  private static void keepMode(Path old, Path fresh) throws IOException {
    var mode =
        Files.exists(old)
            ? Files.getPosixFilePermissions(old)
            : PosixFilePermissions.fromString("rw-r--r--");
    Files.setPosixFilePermissions(fresh, mode);
  }

  private static String hash(Path file) throws IOException {
    return Files.exists(file) ? sha256(Files.readAllBytes(file)) : "";
  }

  private Path there(String path) throws ToolFailure, IOException {
    return real(inside(path));
  }

  private Path real(Path path) throws ToolFailure, IOException {
    if (!Files.exists(path)) {
      throw ToolFailure.of("There is no " + folder.relativize(path));
    }
    Path real = path.toRealPath();
    if (!real.startsWith(folder)) {
      throw ToolFailure.of("path leads out of the folder");
    }
    return real;
  }

  private Path inside(String path) throws ToolFailure {
    try {
      Path inside = folder.resolve(path).normalize();
      if (inside.startsWith(folder)) {
        return inside;
      }
    } catch (InvalidPathException e) {
      throw ToolFailure.of("path is no path");
    }
    throw ToolFailure.of("path leads out of the folder");
  }

  private static String text(Path file) throws ToolFailure, IOException {
    if (!Files.isRegularFile(file)) {
      throw ToolFailure.of("It is no file");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw ToolFailure.of("The file has more than " + MOST_BYTES + " bytes");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
          .toString();
    } catch (CharacterCodingException e) {
      throw ToolFailure.of("The file is no UTF-8 text");
    }
  }

  private static String sha256(byte[] content) {
    return Sha256.PREFIX + Sha256.hex(content);
  }
}
