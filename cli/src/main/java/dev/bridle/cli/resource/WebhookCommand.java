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
    description = "Make, change, try, pause and list webhooks, which tell others of events.",
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
  /** Made by picocli. */
  public WebhookCommand() {
    super("/v1/webhooks", "workspace_id", "status", "preset", "url");
  }

  @Command(
      name = "create",
      description = "Make a webhook.",
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
              description = "Where they are posted to.")
          String to,
      @Option(
              names = "--preset",
              paramLabel = "NAME",
              description = "What the body is: generic, ntfy or slack (default: generic).")
          Optional<String> preset,
      @Option(
              names = "--secret",
              paramLabel = "VAULT/NAME",
              description = "The secret of a vault that each attempt is signed with.")
          Optional<String> secret,
      @Option(
              names = "--event-kind",
              paramLabel = "KIND",
              description = "A kind of event to send. More than once (default: all).")
          List<String> kinds,
      @Option(
              names = "--task-status",
              paramLabel = "STATUS",
              description = "Only events by which a task comes to stand so. More than once.")
          List<String> statuses,
      @Option(
              names = "--persona",
              paramLabel = "ID",
              description = "Only events of tasks of this persona.")
          Optional<String> persona,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace).put("url", to);
    preset.ifPresent(name -> body.put("preset", name));
    secret.ifPresent(named -> body.set("secret", Shown.secretName(named, "--secret")));
    Optional.ofNullable(kinds).ifPresent(all -> all.forEach(body.withArray("event_kinds")::add));
    Optional.ofNullable(statuses)
        .ifPresent(all -> all.forEach(body.withArray("task_statuses")::add));
    persona.ifPresent(id -> body.put("persona_id", id));
    make(server, shown, body);
  }

  @Command(
      name = "test",
      description = "Send a webhook something that tries it out.",
      footer = {"%nExample:", "  bridle webhook test webhook_01J9"})
  void test(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "WEBHOOK", description = "The webhook's id.") String id) {
    does(server, shown, id, "test", JsonLines.object(), "status", "event_kind");
  }
}
