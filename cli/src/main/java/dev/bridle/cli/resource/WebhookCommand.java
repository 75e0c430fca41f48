package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.ServerChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about webhooks. */
@Command(
    name = "webhook",
    description = "Manage webhooks that deliver events to other systems.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      PauseResourceCommand.class,
      ResumeResourceCommand.class,
      DeleteResourceCommand.class,
      WebhookDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle webhook list"})
public final class WebhookCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public WebhookCommand() {
    super("/v1/webhooks", "workspace_id", "status", "preset", "url");
  }

  @Command(
      name = "create",
      description = "Create a webhook.",
      footer = {
        "%nExample:",
        "  bridle webhook create --workspace default --to https://ntfy.sh/bridle-k3f9q2 \\",
        "    --preset ntfy --task-status INPUT_REQUIRED --task-status AUTH_REQUIRED"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              required = true,
              description = "The workspace whose events are sent.")
          String workspace,
      @Option(
              names = "--to",
              paramLabel = "URL",
              required = true,
              description = "The URL that events are posted to.")
          String to,
      @Option(
              names = "--preset",
              paramLabel = "NAME",
              description = "The format of the body: generic, ntfy or slack (default: generic).")
          Optional<String> preset,
      @Option(
              names = "--secret",
              paramLabel = "VAULT/NAME",
              description = "The vault secret that signs each delivery attempt.")
          Optional<String> secret,
      @Option(
              names = "--event-kind",
              paramLabel = "KIND",
              description = "An event kind to send; can be repeated (default: all).")
          List<String> kinds,
      @Option(
              names = "--task-status",
              paramLabel = "STATUS",
              description = "Send only events that change a task to this status; can be repeated.")
          List<String> statuses,
      @Option(
              names = "--persona",
              paramLabel = "ID",
              description = "Send only events of this persona's tasks.")
          Optional<String> persona,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace).put("url", to);
    preset.ifPresent(name -> body.put("preset", name));
    secret.ifPresent(named -> body.set("secret", Shown.secretName(named, "--secret")));
    Optional.ofNullable(kinds).ifPresent(all -> all.forEach(body.withArray("event_kinds")::add));
    Optional.ofNullable(statuses)
        .ifPresent(all -> all.forEach(body.withArray("task_statuses")::add));
    persona.ifPresent(id -> body.put("persona_id", id));
    create(server, shown, body);
  }

  @Command(
      name = "test",
      description = "Send a test event to a webhook.",
      footer = {"%nExample:", "  bridle webhook test webhook_01J9"})
  void test(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "WEBHOOK", description = "The webhook's id.") String id) {
    perform(server, shown, id, "test", JsonLines.object(), "status", "event_kind");
  }
}
