package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The content of an action, which grants and signatures bind: its input, what it changes, its
 * folder, and the places that it names beside these. Where that does not say exactly what is done,
 * the agent's words are part of it.
 */
final class AskedContent {
  /** What the core takes, with room for the members that are added. */
  static final int MAX_BYTES = 176 << 10;

  private static final int MAX_TEXT = 4096;

  /** How many bytes each of the agent's words may have that are bound. */
  private static final int MAX_WORDS = 8 << 10;

  /** What agents say beside a place that says no more than where the action is. */
  private static final Set<String> FOLDERS = Set.of("cwd", "workdir", "dir_path", "directory");

  private final ObjectNode content = JsonNodeFactory.instance.objectNode();
  private final Question.Permission question;
  private final ToolCall call;
  private final InputParts parts;

  private AskedContent(Question.Permission question, InputParts parts) {
    this.question = question;
    this.call = question.asked();
    this.parts = parts;
  }

  /**
   * Begins with the input and the differences.
   *
   * @param arguments the input as one member that an answer may replace; empty if none may
   */
  static AskedContent of(
      Question.Permission question, String kind, Optional<JsonNode> arguments, InputParts parts) {
    AskedContent made = new AskedContent(question, parts);
    arguments.ifPresentOrElse(
        whole -> made.content.set(AskedAction.ARGUMENTS, whole), made::addInput);
    if (!parts.other().isEmpty()) {
      made.put("other_input", Bounded.whole(parts.other(), MAX_WORDS));
    }
    made.addDifferences();
    ArrayNode unread = UnreadParts.of(made.call);
    if (!unread.isEmpty()) {
      made.put("unread", Bounded.whole(unread, MAX_WORDS));
    }
    if (kind.equals("tool_call") && question.toolName().isEmpty()) {
      made.put("title", Bounded.whole(TextNode.valueOf(made.call.title()), MAX_WORDS));
    }
    return made;
  }

  private void addInput() {
    JsonNode bound = parts.bound();
    if (bound.isObject()) {
      boolean isWhole = Bounded.bytes(bound) <= MAX_BYTES;
      bound
          .properties()
          .forEach(
              member ->
                  content.set(
                      member.getKey(),
                      isWhole ? member.getValue() : Bounded.text(member.getValue(), MAX_TEXT)));
    } else if (!bound.isMissingNode() && !bound.isNull()) {
      content.set("input", Bounded.whole(bound, MAX_BYTES));
    }
  }

  /** Adds the folder, and what the agent names beside what is there. */
  AskedContent inFolder(Path folder, String kind) {
    boolean isSaid = FOLDERS.stream().anyMatch(name -> parts.bound().hasNonNull(name));
    if (kind.equals(AskedAction.COMMAND) && !isSaid) {
      content.put("cwd", folder.toString());
      put("cwd_assumed", BooleanNode.TRUE);
    }
    Set<String> places = new LinkedHashSet<>(places(call.locations()));
    places.addAll(question.declaredPaths());
    ShownPaths named = ShownPaths.of(content, folder);
    ArrayNode beside = JsonNodeFactory.instance.arrayNode();
    places.stream().filter(place -> !named.name(place)).forEach(beside::add);
    if (!beside.isEmpty()) {
      put("locations", Bounded.whole(beside, MAX_WORDS));
    }
    return this;
  }

  private static List<String> places(JsonNode locations) {
    Set<String> found = new LinkedHashSet<>();
    locations.forEach(
        place -> {
          if (place.path("path").isTextual() && !place.path("path").textValue().isBlank()) {
            found.add(place.path("path").textValue());
          }
        });
    return List.copyOf(found);
  }

  /** Has the agent's words bound where nothing else says what is done. */
  AskedContent notExact(boolean isInexact) {
    if (isInexact) {
      ObjectNode says = JsonNodeFactory.instance.objectNode();
      says.set("title", Bounded.whole(TextNode.valueOf(call.title()), MAX_WORDS));
      ArrayNode texts = AgentWords.texts(call);
      if (!texts.isEmpty()) {
        says.set("texts", Bounded.whole(texts, MAX_WORDS));
      }
      if (call.locations().size() > 0) {
        says.set("locations", Bounded.whole(call.locations(), MAX_WORDS));
      }
      put("says", says);
    }
    return this;
  }

  /** Members of this name of the agent's own stay. */
  private void put(String name, JsonNode value) {
    String free = name;
    while (content.has(free)) {
      free = "shown_" + free;
    }
    content.set(free, value);
  }

  /** Shows what an edit changes, unless the input shows it already. */
  private void addDifferences() {
    ArrayNode changes = JsonNodeFactory.instance.arrayNode();
    int room = MAX_BYTES - Bounded.bytes(content);
    List<FileChange> said = FileChange.of(call);
    Map<String, Set<String>> texts = said.isEmpty() ? Map.of() : texts();
    for (FileChange change : said) {
      ObjectNode shown =
          changes
              .addObject()
              .put("path", change.path())
              .put("before_sha256", Sha256.hex(change.before()))
              .put("after_sha256", Sha256.hex(change.newText()));
      if (room >= 0) { // Else one hash stands for all of them.
        addDifference(shown, change, texts, room);
      }
      room -= Bounded.bytes(shown);
    }
    if (!changes.isEmpty()) {
      put("changes", room >= 0 ? changes : Bounded.whole(changes, MAX_WORDS));
    }
  }

  private static void addDifference(
      ObjectNode shown, FileChange change, Map<String, Set<String>> texts, int room) {
    TextDifference difference = TextDifference.of(change.before(), change.newText());
    if (!isShown(difference, change, texts)) {
      JsonNode text = TextNode.valueOf(difference.text());
      boolean fits = Bounded.bytes(text) <= room;
      shown.set("diff", fits ? text : Bounded.text(text, MAX_TEXT));
    }
  }

  /** Returns the lines of each text among the members. */
  private Map<String, Set<String>> texts() {
    Map<String, Set<String>> texts = new HashMap<>();
    for (JsonNode member : content) {
      if (member.isTextual()) {
        texts.computeIfAbsent(
            member.textValue(), text -> new HashSet<>(List.of(text.split("\n", -1))));
      }
    }
    return texts;
  }

  private static boolean isShown(
      TextDifference difference, FileChange change, Map<String, Set<String>> texts) {
    return (texts.containsKey(change.newText())
            && (change.before().isEmpty() || texts.containsKey(change.before())))
        || texts.values().stream().anyMatch(difference::isWithin);
  }

  ObjectNode json() {
    return content;
  }
}
