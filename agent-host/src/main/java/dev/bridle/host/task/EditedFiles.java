package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that an agent's edit writes: all that it names anywhere, with links resolved. If
 * anything of it is doubtful, or may delete or move a file, there are none, and the edit is asked
 * for by itself.
 */
final class EditedFiles {
  private static final int MAX_FILES = 64;
  private static final int MAX_PATH = 4096;

  /** Stands for bytes that are no text. */
  private static final char REPLACED = 0xFFFD;

  private static final Pattern NAMES_OPERATION = Pattern.compile("type|kind|op|operation|action");
  private static final Pattern REMOVES =
      Pattern.compile("(delete|remove|unlink|move|rename).*", Pattern.CASE_INSENSITIVE);
  private static final Pattern PATCHED =
      Pattern.compile("^(?:\\*\\*\\* (?:Add|Update) File|Index): *(.+?)\\r?$", Pattern.MULTILINE);

  /** Headers of patches that remove files, or that may be about several. */
  private static final Pattern PATCHES_MORE =
      Pattern.compile(
          "^(\\*\\*\\* (Delete File|Move to):|deleted file mode |rename (from|to) |diff --git )",
          Pattern.MULTILINE);

  private final Path folder;
  private final Set<String> files = new LinkedHashSet<>();

  private EditedFiles(Path folder) {
    this.folder = folder;
  }

  /** Returns the absolute paths of the files; none if that is not sure. */
  static List<String> of(Question.Permission question, Path folder) {
    if (!question.asked().kind().equals("edit")) {
      return List.of();
    }
    EditedFiles edited = new EditedFiles(folder);
    boolean sure =
        edited.addMembers(question.input())
            && edited.addShown(question.toolCall())
            && question.known().map(edited::addShown).orElse(true)
            && question.declaredPaths().stream().allMatch(edited::add);
    return sure ? List.copyOf(edited.files) : List.of();
  }

  private boolean addShown(ToolCall call) {
    for (JsonNode place : call.locations()) {
      if (!add(place.path("path"))) {
        return false;
      }
    }
    // What leaves nothing may be a deletion.
    return FileChange.of(call).stream()
        .allMatch(change -> add(change.path()) && !change.newText().isEmpty());
  }

  private boolean addMembers(JsonNode value) {
    if (value.isTextual()) {
      return addPatched(value.textValue());
    }
    for (JsonNode element : value.isArray() ? value : List.<JsonNode>of()) {
      if (!addMembers(element)) {
        return false;
      }
    }
    return value.properties().stream()
        .allMatch(member -> addMember(member.getKey(), member.getValue()));
  }

  private boolean addMember(String spelled, JsonNode value) {
    if (PlaceNames.isFolder(spelled)) {
      return false; // Paths may be meant from there.
    }
    boolean removes =
        NAMES_OPERATION.matcher(PlaceNames.plain(spelled)).matches()
            && REMOVES.matcher(value.asText()).matches();
    boolean isPath = spelled.indexOf('/') < 0 || add(spelled);
    if (removes || !isPath) {
      return false;
    }
    if (!PlaceNames.isFile(spelled) || value.isNull()) {
      return addMembers(value);
    }
    if (value.isArray()) {
      for (JsonNode element : value) {
        if (!(element.isTextual() ? add(element) : addMembers(element))) {
          return false;
        }
      }
      return true;
    }
    return value.isObject() ? addMembers(value) : add(value);
  }

  private boolean addPatched(String text) {
    if (PATCHES_MORE.matcher(text).find()) {
      return false;
    }
    Matcher file = PATCHED.matcher(text);
    while (file.find()) {
      if (!add(file.group(1))) {
        return false;
      }
    }
    return true;
  }

  private boolean add(JsonNode path) {
    return path.isTextual() && add(path.textValue());
  }

  private boolean add(String path) {
    Optional<String> real = real(path);
    real.ifPresent(files::add);
    return real.isPresent() && files.size() <= MAX_FILES;
  }

  private Optional<String> real(String spelled) {
    try {
      if (spelled.isBlank() || spelled.startsWith("~") || spelled.contains("://")) {
        return Optional.empty();
      }
      Path path = folder.resolve(spelled);
      for (Path name : path) {
        if (name.toString().equals("..")) {
          return Optional.empty(); // Behind a link it leads elsewhere than it reads.
        }
      }
      Path found = real(path.normalize());
      String shown = found.toString();
      // A file with several names is another file, too.
      boolean sure =
          !Files.isDirectory(found)
              && links(found) <= 1
              && shown.length() <= MAX_PATH
              && shown.indexOf(REPLACED) < 0;
      return sure ? Optional.of(shown) : Optional.empty();
    } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Resolves the links of what exists of a path. */
  private static Path real(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) || path.getParent() == null) {
      return path.toRealPath();
    }
    return real(path.getParent()).resolve(path.getFileName());
  }

  private static int links(Path file) throws IOException {
    return Files.exists(file) ? (Integer) Files.getAttribute(file, "unix:nlink") : 0;
  }
}
