package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The group of commands about connectors. */
@Command(
    name = "connector",
    description = "Manage connectors that turn webhooks and polled items into tasks.",
    subcommands = {
      CreateConnectorCommand.class,
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
  /** Creates the command; called by picocli. */
  public ConnectorCommand() {
    super(
        "/v1/connectors",
        "workspace_id",
        "provider",
        "status",
        "/webhook/path",
        "/polling/url",
        "/polls/last_error/code");
  }

  @Command(
      name = "poll",
      description = {
        "Poll a connector now instead of at its next scheduled poll.",
        "The result appears in the member polls of the connector shortly after."
      },
      footer = {"%nExample:", "  bridle connector poll connector_01J9"})
  void poll(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String id) {
    perform(server, shown, id, "poll");
  }

  @Command(
      name = "renew-ingress",
      description = "Replace the ingress path of a connector; the old path stops working.",
      footer = {"%nExample:", "  bridle connector renew-ingress connector_01J9"})
  void renew(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String id) {
    perform(server, shown, id, "renew_ingress");
  }
}
