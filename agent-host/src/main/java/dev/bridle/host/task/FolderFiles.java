package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.folder.NotPlainException;
import dev.bridle.folder.OpenFolder;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.v1.FileOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

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
  private static final int MOST_DEPTH = 100;

  /** All of it is shown to whoever is asked. */
  private static final int MOST_WRITTEN = 200 << 10;

  private final RootFolder root;
  private final Path folder;

  /** Creates the files of a folder; they are no longer there once it is replaced. */
  FolderFiles(RootFolder root) {
    this.root = root;
    this.folder = root.path();
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
    List<String> lines;
    try (OpenFolder in = parentOf(file)) {
      lines = text(in, file.getFileName()).lines().toList();
    }
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
    boolean all =
        FolderWalk.of(
            root,
            folder.relativize(from),
            depth,
            (in, path, is) -> {
              if (entries.size() == MOST_ENTRIES) {
                return false;
              }
              entries.add(path + (is.isDirectory() ? "/" : ""));
              return true;
            });
    return answer.put("truncated", !all);
  }

  ObjectNode search(JsonNode arguments) throws ToolFailure, IOException {
    String wanted = ToolSchema.text(arguments, "text");
    Path from = there(arguments.path("path").asText("."));
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode hits = answer.putArray("hits");
    AtomicInteger visited = new AtomicInteger();
    boolean all =
        FolderWalk.of(
            root,
            folder.relativize(from),
            MOST_DEPTH,
            (in, path, is) -> {
              if (is.isRegularFile()) {
                search(in, path, wanted, hits);
              }
              return hits.size() < MOST_HITS && visited.incrementAndGet() < MOST_VISITED;
            });
    return answer.put("truncated", !all);
  }

  private static void search(OpenFolder in, Path path, String wanted, ArrayNode hits) {
    List<String> lines;
    try {
      lines = text(in, path.getFileName()).lines().toList();
    } catch (ToolFailure | IOException e) {
      return; // No text, too long, deleted meanwhile, or unreadable.
    }
    for (int i = 0; i < lines.size() && hits.size() < MOST_HITS; i++) {
      String line = lines.get(i);
      if (line.contains(wanted)) {
        hits.addObject()
            .put("path", path.toString())
            .put("line", i + 1)
            .put("text", line.substring(0, Math.min(line.length(), MOST_LINE)));
      }
    }
  }

  /** Prepares a change of a file, which may be new; its folder must be there. */
  Change change(JsonNode arguments) throws ToolFailure, IOException {
    String content = arguments.path("content").asText("");
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    if (!arguments.path("content").isTextual() || bytes.length > MOST_WRITTEN) {
      throw ToolFailure.of("content must be a text of at most " + MOST_WRITTEN + " bytes");
    }
    Path path = inside(ToolSchema.text(arguments, "path"));
    Path name = path.getFileName();
    if (name == null || path.equals(folder)) {
      throw ToolFailure.of("path must name a file");
    }
    Path target = real(path.getParent()).resolve(name);
    try (OpenFolder in = parentOf(target)) {
      return new Change(target, hash(in, name), sha256(bytes), content);
    }
  }

  /**
   * Makes a change where it was prepared, if the file is still what it was then, and its folder is
   * still there: people were asked about this file.
   */
  ObjectNode write(Change change) throws ToolFailure, IOException {
    Path name = change.path().getFileName();
    try (OpenFolder in = parentOf(change.path())) {
      if (!hash(in, name).equals(change.before())) {
        throw ToolFailure.of("The file has changed meanwhile; read it, and ask again");
      }
      in.put(
          name,
          change.content().getBytes(StandardCharsets.UTF_8),
          Optional.of(
              in.look(name)
                  .map(PosixFileAttributes::permissions)
                  .orElseGet(() -> PosixFilePermissions.fromString("rw-r--r--"))));
    } catch (NoSuchFileException | NotPlainException swapped) {
      throw ToolFailure.of("The folder of the file has changed meanwhile; ask again");
    }
    return JsonNodeFactory.instance.objectNode().put("sha256", change.after());
  }

  private OpenFolder parentOf(Path file) throws IOException {
    return root.open(folder.relativize(file.getParent()));
  }

  private static String hash(OpenFolder in, Path name) throws ToolFailure, IOException {
    Optional<PosixFileAttributes> there = in.look(name);
    if (there.isEmpty()) {
      return "";
    }
    if (!there.get().isRegularFile()) {
      throw ToolFailure.of("path must name a file, not a folder or a link");
    }
    return sha256(bytes(in, name));
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

  private static String text(OpenFolder in, Path name) throws ToolFailure, IOException {
    if (in.look(name).filter(PosixFileAttributes::isRegularFile).isEmpty()) {
      throw ToolFailure.of("It is no file");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes(in, name)))
          .toString();
    } catch (CharacterCodingException e) {
      throw ToolFailure.of("The file is no UTF-8 text");
    }
  }

  private static byte[] bytes(OpenFolder in, Path name) throws ToolFailure, IOException {
    byte[] bytes = in.read(name, MOST_BYTES);
    if (bytes.length > MOST_BYTES) {
      throw ToolFailure.of("The file has more than " + MOST_BYTES + " bytes");
    }
    return bytes;
  }

  private static String sha256(byte[] content) {
    return Sha256.PREFIX + Sha256.hex(content);
  }
}
