package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.worker.Permission;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an agent asks to do, made of all that it has said of the call by now, as a permission
 * request. What is bound by grants and signatures is the content; what the agent says beside it
 * changes from time to time, is shown as its words, and makes no other action.
 *
 * @param kind the kind of action
 * @param tool the tool that it uses
 * @param content its exact content
 * @param said what the agent says beside it
 * @param notExact why it is not known exactly what will be done, if so
 * @param editedFiles the files that it writes, where that is sure
 * @param approvers how many approvals it needs
 * @param options what the agent may be answered
 * @param isModifiable whether an answer may change its arguments
 */
record AskedAction(
    String kind,
    String tool,
    ObjectNode content,
    ObjectNode said,
    Optional<String> notExact,
    List<String> editedFiles,
    int approvers,
    List<PermissionOption> options,
    boolean isModifiable) {
  /** The kind of action that is a command. */
  static final String COMMAND = "command";

  /** The member of the content that an answer may replace. */
  static final String ARGUMENTS = "arguments";

  private static final int MAX_TITLE = 200;

  /** Copies the lists. */
  AskedAction {
    editedFiles = List.copyOf(editedFiles);
    options = List.copyOf(options);
  }

  /** Returns the action that a question is about, in a folder. */
  static AskedAction of(Question.Permission question, Path folder, RequestTraits traits) {
    ToolCall call = question.asked();
    String kind = kind(call);
    JsonNode input = question.input();
    boolean isModifiable =
        question.acceptsModified()
            && input.isObject()
            && Bounded.bytes(input) <= AskedContent.MAX_BYTES
            && !input.has(Question.APPROVAL_ARGUMENTS);
    InputParts parts = InputParts.of(question, kind, traits);
    Optional<String> notExact = Exactness.lacking(question, kind, parts);
    ObjectNode content =
        AskedContent.of(question, kind, isModifiable ? Optional.of(input) : Optional.empty(), parts)
            .inFolder(folder, kind)
            .notExact(notExact.isPresent())
            .json();
    String name = question.toolName();
    return new AskedAction(
        kind,
        name.isEmpty() ? kind : cut(name),
        content,
        AgentWords.of(question, parts),
        notExact,
        isModifiable || notExact.isPresent() ? List.of() : EditedFiles.of(question, folder),
        question.approversRequired().orElse(Question.Permission.MOST_APPROVERS),
        AskedOptions.of(question),
        isModifiable);
  }

  private static String kind(ToolCall call) {
    return switch (call.kind()) {
      case "execute" -> COMMAND;
      case "edit", "delete", "move" -> call.kind();
      default -> "tool_call";
    };
  }

  private static String cut(String text) {
    return KeptText.of(text, MAX_TITLE);
  }

  /** Returns one line about it, of the agent. */
  String title() {
    String title = said.path(AgentWords.TITLE).asText();
    return cut(title.isEmpty() && !tool.equals(kind) ? tool : title);
  }

  /** Returns the request for permission. */
  Permission permission() {
    String title = title();
    String prompt = title.isBlank() ? "The agent asks to act: " + kind : title;
    Permission permission =
        Permission.of(kind, content, prompt)
            .withTool(tool)
            .withTitle(prompt)
            .withEditedFiles(editedFiles)
            .approvedBy(approvers, List.of())
            .withOptions(options)
            .withSaid(said);
    Permission known = notExact.map(permission::notExactly).orElse(permission);
    return isModifiable ? known.acceptingModified(ARGUMENTS) : known;
  }
}
