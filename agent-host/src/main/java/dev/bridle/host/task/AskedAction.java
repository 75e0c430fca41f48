package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.worker.Permission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an agent asks to do, as a permission request: the exact action without the agent's chatter,
 * which changes from time to time and would make each repetition another action.
 *
 * @param kind the kind of action
 * @param tool the tool that it uses
 * @param content its exact content
 * @param title one line of the agent about it
 * @param editedFiles the files that it writes, where that is sure
 * @param approvers how many approvals it needs
 * @param circumstances what the agent says beside the action
 * @param isModifiable whether an answer may change its arguments
 */
record AskedAction(
    String kind,
    String tool,
    ObjectNode content,
    String title,
    List<String> editedFiles,
    int approvers,
    ObjectNode circumstances,
    boolean isModifiable) {
  /** The member of the content that an answer may replace. */
  private static final String ARGUMENTS = "arguments";

  private static final int MAX_CIRCUMSTANCES = 60 << 10;

  private static final int MAX_TITLE = 200;

  /** What the core takes, with room for the members that are added. */
  private static final int MAX_BYTES = 240 << 10;

  private static final int MAX_TEXT = 4096;

  /** Returns the action that a question is about, in a folder. */
  static AskedAction of(Question.Permission question, Path folder) {
    String kind =
        switch (question.toolCall().kind()) {
          case "execute" -> "command";
          case "edit", "delete", "move" -> question.toolCall().kind();
          default -> "tool_call";
        };
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    JsonNode input = question.input();
    boolean isWhole = bytes(input) <= MAX_BYTES;
    boolean isModifiable =
        question.acceptsModified()
            && input.isObject()
            && isWhole
            && !input.has(Question.APPROVAL_ARGUMENTS);
    if (isModifiable) {
      content.set(ARGUMENTS, input);
    } else if (input.isObject()) {
      input
          .properties()
          .forEach(
              member -> {
                if (!member.getKey().equals("description")) {
                  JsonNode value = member.getValue();
                  content.set(member.getKey(), isWhole ? value : shortened(value));
                }
              });
    }
    addDifferences(content, question.toolCall().content());
    if (!content.has("cwd") && kind.equals("command")) {
      content.put("cwd", folder.toString()).put("cwd_assumed", true);
    }
    if (kind.equals("tool_call") && question.toolName().isEmpty()) {
      content.put("title", question.toolCall().title());
    }
    String title =
        question.toolCall().title().isEmpty() ? question.toolName() : question.toolCall().title();
    return new AskedAction(
        kind,
        question.toolName().isEmpty() ? kind : cut(question.toolName()),
        content,
        cut(title),
        isModifiable ? List.of() : EditedFiles.of(question, folder),
        question.approversRequired().orElse(Question.Permission.MOST_APPROVERS),
        bounded(question.circumstances()),
        isModifiable);
  }

  private static ObjectNode bounded(ObjectNode said) {
    int bytes = bytes(said);
    return bytes <= MAX_CIRCUMSTANCES
        ? said
        : JsonNodeFactory.instance.objectNode().put("left_out_bytes", bytes);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TITLE ? text : text.substring(0, MAX_TITLE);
  }

  /** A large text of an action that is too large for a request is bound by its hash. */
  private static JsonNode shortened(JsonNode value) {
    if (value.isTextual() && value.textValue().length() > MAX_TEXT) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("sha256", Sha256.hex(value.textValue()))
          .put("characters", value.textValue().length())
          .put("begins", value.textValue().substring(0, 1024));
    }
    return value;
  }

  /** Shows what an edit changes, unless the input shows it already. */
  private static void addDifferences(ObjectNode content, JsonNode parts) {
    ArrayNode changes = JsonNodeFactory.instance.arrayNode();
    int room = MAX_BYTES - bytes(content);
    for (JsonNode part : parts) {
      if (part.path("type").asText().equals("diff")) {
        String before = part.path("oldText").asText("");
        String after = part.path("newText").asText("");
        ObjectNode change =
            changes
                .addObject()
                .put("path", part.path("path").asText())
                .put("before_sha256", Sha256.hex(before))
                .put("after_sha256", Sha256.hex(after));
        TextDifference difference = TextDifference.of(before, after);
        if (!isShown(content, difference, before, after)) {
          JsonNode shown = JsonNodeFactory.instance.textNode(difference.text());
          change.set("diff", bytes(shown) <= room ? shown : shortened(shown));
        }
        room -= bytes(change);
      }
    }
    if (!changes.isEmpty()) {
      // Members of this name of the agent's own stay.
      content.set(content.has("changes") ? "shown_changes" : "changes", changes);
    }
  }

  private static boolean isShown(
      JsonNode content, TextDifference difference, String before, String after) {
    Set<String> texts = new HashSet<>();
    for (JsonNode member : content) {
      if (member.isTextual()) {
        texts.add(member.textValue());
      }
    }
    return (texts.contains(after) && (before.isEmpty() || texts.contains(before)))
        || texts.stream().anyMatch(difference::isWithin);
  }

  private static int bytes(JsonNode value) {
    return value.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns the request for permission. */
  Permission permission() {
    String prompt = title.isEmpty() ? "The agent asks to act: " + kind : title;
    Permission permission =
        Permission.of(kind, content, prompt)
            .withTool(tool)
            .withTitle(prompt)
            .withEditedFiles(editedFiles)
            .approvedBy(approvers, List.of())
            .withMetadata(circumstances);
    return isModifiable ? permission.acceptingModified(ARGUMENTS) : permission;
  }
}
