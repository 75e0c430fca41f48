package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.RequirementText;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Explains what persona, skills and approval rules decide about an action. */
@Command(
    name = "explain",
    description =
        "Explain what persona, skills and approval rules would decide about an action now, before"
            + " approvals and standing grants. Nothing is asked or recorded.",
    footer = {
      "%nExamples:",
      "  bridle policy explain --session session_01J9 --command 'kubectl delete pod x'",
      "  bridle policy explain --persona persona_01J9 --kind edit --edited-file /srv/app/main.tf",
      "  bridle policy explain --workspace default --kind tool_call --title 'git push'"
    })
final class ExplainPolicyCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The session of the task, with its workspace, persona and skills.")
  private Optional<String> session = Optional.empty();

  @Option(names = "--workspace", paramLabel = "ID", description = "The workspace of the task.")
  private Optional<String> workspace = Optional.empty();

  @Option(names = "--persona", paramLabel = "ID", description = "The persona of the task.")
  private Optional<String> persona = Optional.empty();

  @Option(
      names = "--kind",
      paramLabel = "TEXT",
      description = "The kind of action (default: command, with --command).")
  private Optional<String> kind = Optional.empty();

  @Option(names = "--tool", paramLabel = "TEXT", description = "The tool that it uses.")
  private Optional<String> tool = Optional.empty();

  @Option(names = "--command", paramLabel = "TEXT", description = "The command that it runs.")
  private Optional<String> command = Optional.empty();

  @Option(
      names = "--content",
      paramLabel = "JSON",
      description = "The action's content as a JSON object, instead of --command.")
  private Optional<String> content = Optional.empty();

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "The title that the agent gives it, which rules match as well.")
  private Optional<String> title = Optional.empty();

  @Option(
      names = "--said",
      paramLabel = "JSON",
      description =
          "What else the agent says of it as a JSON object, such as texts and the tool's name,"
              + " which rules match as well.")
  private Optional<String> said = Optional.empty();

  @Option(
      names = "--edited-file",
      paramLabel = "PATH",
      description = "A file that it changes; can be repeated.")
  private List<String> editedFiles = List.of();

  @Option(
      names = "--side-effect",
      paramLabel = "TEXT",
      description = "Its side effect; none if it has none.")
  private Optional<String> sideEffect = Optional.empty();

  @Option(
      names = "--approvers",
      paramLabel = "N",
      description = "The number of approvals that the agent asks for.")
  private Optional<Integer> approvers = Optional.empty();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    JsonNode answer =
        server.connect().post("/v1/approval-rules/explain", action(), UUID.randomUUID().toString());
    if (shown.isJson()) {
      shown.one(answer, out);
      return;
    }
    out.println(
        ShownText.line(answer.path("decision").asText() + ": " + answer.path("reason").asText()));
    if (answer.has("skill_id")) {
      out.println(ShownText.line("skill: " + answer.path("skill_id").asText()));
    }
    if (answer.has("policy")) {
      RequirementText.lines(answer.get("policy")).forEach(out::println);
    }
    answer.path("matches").forEach(match -> out.println(ShownText.line(line(match))));
    out.flush();
  }

  private static String line(JsonNode match) {
    String rule = "match: " + match.path("rule").asText();
    return match.has("member")
        ? rule
            + ", "
            + match.path("member").asText()
            + " '"
            + match.path("pattern").asText()
            + "': "
            + match.path("text").asText()
        : rule + ", every action";
  }

  private ObjectNode action() {
    ObjectNode action = JsonNodeFactory.instance.objectNode();
    session.ifPresent(id -> action.put("session_id", id));
    workspace.ifPresent(id -> action.put("workspace_id", id));
    persona.ifPresent(id -> action.put("persona_id", id));
    action.put(
        "kind",
        kind.or(() -> command.map(given -> "command"))
            .orElseThrow(() -> misused("Name the action: --command, or --kind.")));
    tool.ifPresent(name -> action.put("tool", name));
    sideEffect.ifPresent(what -> action.put("side_effect", what));
    approvers.ifPresent(count -> action.put("approvers_required", count));
    content().ifPresent(given -> action.set("content", given));
    said().ifPresent(given -> action.set("said", given));
    editedFiles.forEach(action.withArray("edited_files")::add);
    return action;
  }

  private Optional<JsonNode> content() {
    if (command.isPresent() && content.isPresent()) {
      throw misused("Use --command or --content, not both.");
    }
    if (command.isPresent()) {
      return command.map(given -> JsonNodeFactory.instance.objectNode().put("command", given));
    }
    return content.map(text -> object("--content", text));
  }

  private Optional<JsonNode> said() {
    if (said.isEmpty() && title.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    said.ifPresent(text -> all.setAll(object("--said", text)));
    title.ifPresent(text -> all.put("title", text));
    return Optional.of(all);
  }

  private ObjectNode object(String option, String text) {
    return JsonLines.parse(text)
        .filter(JsonNode::isObject)
        .map(ObjectNode.class::cast)
        .orElseThrow(() -> misused(option + " must be a JSON object."));
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
