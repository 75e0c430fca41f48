package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The group of commands about connectors. */
@Command(
    name = "connector",
    description =
        "Make, change, pause and list connectors, which turn webhooks and news into tasks.",
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
  /** Made by picocli. */
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
        "Have a connector poll now, whenever its next poll is due.",
        "What comes of it is in the member polls of the connector, soon after."
      },
      footer = {"%nExample:", "  bridle connector poll connector_01J9"})
  void poll(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String id) {
    does(server, shown, id, "poll");
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
