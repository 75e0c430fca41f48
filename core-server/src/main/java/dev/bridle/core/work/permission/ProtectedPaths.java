package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.permission.v1.PermissionAction;
import java.io.IOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * Files that decide what runs later, or whether agents ask: what build tools and pipelines load,
 * hooks, settings of agents and editors, shell profiles. Who changes one could grant himself more
 * than he was granted, so no standing grant covers it. What the text of a command changes can't be
 * recognized; its exact text is what was granted.
 */
public final class ProtectedPaths {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String COMMAND = "command";
  private static final String FOLDER = "cwd";
  private static final String IN_FOLDER = "/-";
  private static final String PARENT = "..";
  private static final Pattern LIKE_A_PATH = Pattern.compile("[./\\\\]");
  private static final Pattern INVISIBLE = Pattern.compile("\\p{Cf}+");

  /** The short name that file systems of Windows make for one that begins with a dot. */
  private static final Pattern SHORT_GIT = Pattern.compile("git~\\d+");

  /** All kinds of them, as the documentation lists them. */
  static final List<ProtectedPathKind> KINDS = ProtectedPathKind.load();

  private static final PathPatterns NAMES = folded(ProtectedPathKind::names);
  private static final PathPatterns WORDS = folded(ProtectedPathKind::words);
  private static final PathPatterns SPELLED_WORDS =
      new PathPatterns(all(ProtectedPathKind::words), UnaryOperator.identity());

  private ProtectedPaths() {}

  private static PathPatterns folded(Function<ProtectedPathKind, List<String>> patterns) {
    return new PathPatterns(all(patterns), ProtectedPaths::folded);
  }

  private static List<String> all(Function<ProtectedPathKind, List<String>> patterns) {
    return KINDS.stream().flatMap(kind -> patterns.apply(kind).stream()).toList();
  }

  /**
   * Returns whether an action names a protected file, in whatever member of its content. The kind
   * is what the agent says, and counts for a command alone: its text is not searched, and its
   * folder is no file.
   */
  static boolean touchedBy(PermissionAction action) {
    boolean isCommand = action.getKind().equals(COMMAND);
    return action.getEditedFilesList().stream().anyMatch(ProtectedPaths::isProtected)
        || parse(action).properties().stream()
            .anyMatch(
                member ->
                    isCommand
                        ? namesOneBesideCommand(member.getKey(), member.getValue())
                        : namesOne(member.getKey(), member.getValue()));
  }

  private static boolean namesOneBesideCommand(String member, JsonNode value) {
    if (member.equals(COMMAND) && isTextOrTexts(value)) {
      return false;
    }
    if (member.equals(FOLDER) && value.isTextual()) {
      return isNamedBy(value.textValue() + IN_FOLDER);
    }
    return namesOne(member, value);
  }

  private static boolean isTextOrTexts(JsonNode value) {
    return value.isTextual()
        || (value.isArray()
            && StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isTextual));
  }

  /** Some agents name the files of an edit by the names of members. */
  private static boolean namesOne(String member, JsonNode value) {
    return (LIKE_A_PATH.matcher(member).find() && isNamedBy(member)) || namesOne(value);
  }

  private static boolean namesOne(JsonNode value) {
    if (value.isTextual()) {
      return isNamedBy(value.textValue());
    }
    return value.isObject()
        ? value.properties().stream()
            .anyMatch(member -> namesOne(member.getKey(), member.getValue()))
        : StreamSupport.stream(value.spliterator(), false).anyMatch(ProtectedPaths::namesOne);
  }

  private static boolean isNamedBy(String text) {
    for (String path : PathReadings.of(text)) {
      List<String> spelled = names(path);
      if (areProtected(spelled, NAMES::match) || SPELLED_WORDS.match(spelled)) {
        return true;
      }
    }
    return false;
  }

  /** Compares as the most lenient of file systems do. */
  static boolean isProtected(String path) {
    return areProtected(names(path), names -> NAMES.match(names) || WORDS.match(names));
  }

  /** Matches names as they stand there, and with what {@code ..} leads to. */
  private static boolean areProtected(List<String> names, Predicate<List<String>> patterns) {
    List<String> all = new ArrayList<>();
    List<String> resolved = new ArrayList<>();
    for (String name : names) {
      if (!name.equals(PARENT)) {
        String folded = folded(name);
        if (!folded.isEmpty()) {
          all.add(folded);
          resolved.add(folded);
        }
      } else if (!resolved.isEmpty()) {
        resolved.remove(resolved.size() - 1);
      }
    }
    return patterns.test(all) || (resolved.size() < all.size() && patterns.test(resolved));
  }

  private static List<String> names(String path) {
    return Arrays.asList(path.split("[/\\\\]+"));
  }

  /**
   * Returns a name as the most lenient of file systems compare it. Some take names as the same that
   * differ in case, in invisible characters, in how a character is composed, or in dots and blanks
   * at the end.
   */
  public static String folded(String name) {
    if (isPlain(name)) {
      return name;
    }
    String visible = INVISIBLE.matcher(name).replaceAll("");
    String composed = Normalizer.normalize(visible, Normalizer.Form.NFKC);
    String folded = composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    String stripped = withoutEnd(folded);
    return SHORT_GIT.matcher(stripped).matches() ? ".git" : stripped;
  }

  /** No pattern: one would look for the end from each dot of a name that an agent has chosen. */
  private static String withoutEnd(String name) {
    int end = name.length();
    while (end > 0 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) <= ' ')) {
      end--;
    }
    return name.substring(0, end);
  }

  /** Most names are compared as they are. */
  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c >= '~' || (c >= 'A' && c <= 'Z')) {
        return false;
      }
    }
    return !name.endsWith(".");
  }

  private static JsonNode parse(PermissionAction action) {
    try {
      return MAPPER.readTree(action.getContent().toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
