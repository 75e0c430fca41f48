package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.ServerChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Make a connector, which takes webhooks, polls, or does both. */
@Command(
    name = "create",
    description = "Make a connector, which takes webhooks (--preset) or polls (--poll), or both.",
    footer = {
      "%nExamples:",
      "  bridle connector create --workspace default --preset github \\",
      "    --secret vault_01J9/github-hook --event-kind issues --text 'Look at {/issue/title}'",
      "  bridle connector create --workspace default --poll https://news.example/feed.xml \\",
      "    --format feed --every 15m --text 'Read {/title?}: {/link}'"
    })
final class CreateConnectorCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      required = true,
      description = "The workspace that it belongs to.")
  private String workspace = "";

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = {
        "How deliveries are signed: github, slack, stripe, bridle, custom",
        "(with --set), or none."
      })
  private Optional<String> preset = Optional.empty();

  @Option(
      names = "--secret",
      paramLabel = "VAULT/NAME",
      description = "The secret of a vault that deliveries are signed with.")
  private Optional<String> secret = Optional.empty();

  @Mixin private PollingOptions polling;

  @Option(
      names = "--text",
      paramLabel = "TEMPLATE",
      required = true,
      description = "What the task is told; {/title} stands for that place of the body.")
  private String text = "";

  @Option(
      names = "--message",
      description = "Append messages to the session instead of submitting tasks.")
  private boolean message;

  @Option(
      names = "--event-kind",
      paramLabel = "KIND",
      description = "A kind of delivery to take. More than once (default: all).")
  private List<String> kinds = List.of();

  @Option(
      names = "--persona",
      paramLabel = "ID",
      description = "The persona that its tasks run as.")
  private Optional<String> persona = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The session of its tasks (default: one for each delivery).")
  private Optional<String> session = Optional.empty();

  @Option(names = "--set", paramLabel = "JSON", description = "Further members, as a JSON object.")
  private Optional<String> members = Optional.empty();

  @Override
  public void run() {
    if (preset.isEmpty() && !polling.given()) {
      throw new CommandFailed(
          ExitCodes.USAGE, "A connector takes webhooks or polls; give --preset or --poll");
    }
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace);
    if (!body.has("provider")) {
      body.put("provider", preset.orElse("poll"));
    }
    preset.ifPresent(
        name -> {
          ObjectNode signature = body.withObject("/webhook/signature").put("preset", name);
          secret.ifPresent(named -> signature.set("secret", Shown.secretName(named, "--secret")));
        });
    polling.into(body);
    body.withObject("/mapping").put("text", text).put("target", message ? "message" : "task");
    kinds.forEach(body.withArray("event_kinds")::add);
    persona.ifPresent(id -> body.put("target_persona_id", id));
    session.ifPresent(id -> body.put("target_session_id", id));
    group.make(server, shown, body);
  }
}
