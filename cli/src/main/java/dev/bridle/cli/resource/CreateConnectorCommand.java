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

/** Creates a connector that receives webhooks, polls, or both. */
@Command(
    name = "create",
    description =
        "Create a connector that receives webhooks (--preset), polls a URL (--poll), or both.",
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
      description = "The workspace of the connector.")
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
      description = "The vault secret that deliveries are signed with.")
  private Optional<String> secret = Optional.empty();

  @Mixin private PollingOptions polling;

  @Option(
      names = "--text",
      paramLabel = "TEMPLATE",
      required = true,
      description =
          "The text of the task; {/title} inserts the value at that JSON Pointer of the body.")
  private String text = "";

  @Option(
      names = "--message",
      description = "Append messages to the session instead of submitting tasks.")
  private boolean message;

  @Option(
      names = "--event-kind",
      paramLabel = "KIND",
      description = "An event kind to accept; can be repeated (default: all).")
  private List<String> kinds = List.of();

  @Option(names = "--persona", paramLabel = "ID", description = "The persona of its tasks.")
  private Optional<String> persona = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The session of its tasks (default: one for each delivery).")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "JSON",
      description = "Additional members, as a JSON object.")
  private Optional<String> members = Optional.empty();

  @Override
  public void run() {
    if (preset.isEmpty() && !polling.given()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "A connector needs --preset (webhooks), --poll (a URL to poll), or both.");
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
    group.create(server, shown, body);
  }
}
