package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about connectors. */
@Command(
    name = "connector",
    description = "Make, change, pause and list connectors, which turn webhooks into tasks.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      PauseResourceCommand.class,
      ResumeResourceCommand.class,
      DeleteResourceCommand.class,
      ConnectorDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle connector list"})
public final class ConnectorCommand extends ResourceGroup {
  /** Made by picocli. */
  public ConnectorCommand() {
    super("/v1/connectors", "workspace_id", "provider", "status", "/webhook/path");
  }

  @Command(
      name = "create",
      description = "Make a connector.",
      footer = {
        "%nExample:",
        "  bridle connector create --workspace default --preset github \\",
        "    --secret vault_01J9/github-hook --event-kind issues --text 'Look at {/issue/title}'"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              required = true,
              description = "The workspace that it belongs to.")
          String workspace,
      @Option(
              names = "--preset",
              paramLabel = "NAME",
              required = true,
              description = {
                "How deliveries are signed: github, slack, stripe, bridle, custom",
                "(with --set), or none."
              })
          String preset,
      @Option(
              names = "--secret",
              paramLabel = "VAULT/NAME",
              description = "The secret of a vault that deliveries are signed with.")
          Optional<String> secret,
      @Option(
              names = "--text",
              paramLabel = "TEMPLATE",
              required = true,
              description = "What the task is told; {/title} stands for that place of the body.")
          String text,
      @Option(
              names = "--message",
              description = "Append messages to the session instead of submitting tasks.")
          boolean message,
      @Option(
              names = "--event-kind",
              paramLabel = "KIND",
              description = "A kind of delivery to take. More than once (default: all).")
          List<String> kinds,
      @Option(
              names = "--persona",
              paramLabel = "ID",
              description = "The persona that its tasks run as.")
          Optional<String> persona,
      @Option(
              names = "--session",
              paramLabel = "ID",
              description = "The session of its tasks (default: one for each delivery).")
          Optional<String> session,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace);
    if (!body.has("provider")) {
      body.put("provider", preset);
    }
    ObjectNode signature = body.withObject("/webhook/signature").put("preset", preset);
    secret.ifPresent(named -> signature.set("secret", Shown.secretName(named, "--secret")));
    body.withObject("/mapping").put("text", text).put("target", message ? "message" : "task");
    Optional.ofNullable(kinds).ifPresent(all -> all.forEach(body.withArray("event_kinds")::add));
    persona.ifPresent(id -> body.put("target_persona_id", id));
    session.ifPresent(id -> body.put("target_session_id", id));
    make(server, shown, body);
  }

  @Command(
      name = "renew-ingress",
      description = "Give a connector another path for its deliveries; the old one ends.",
      footer = {"%nExample:", "  bridle connector renew-ingress connector_01J9"})
  void renew(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String id) {
    does(server, shown, id, "renew_ingress");
  }
}
