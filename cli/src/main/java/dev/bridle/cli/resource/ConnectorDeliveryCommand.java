package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about deliveries to connectors. */
@Command(
    name = "delivery",
    description = "List deliveries to a connector, and redeliver or drop failed ones.",
    subcommands = {
      ListConnectorDeliveriesCommand.class,
      GetDeliveryCommand.class,
      RedeliverCommand.class,
      DropDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle connector delivery list connector_01J9 --status failed"})
final class ConnectorDeliveryCommand extends DeliveryGroup {
  /** Creates the command; called by picocli. */
  ConnectorDeliveryCommand() {
    super(
        "/v1/connectors",
        "connector_id",
        "created_at",
        "status",
        "event_kind",
        "task_id",
        "failure");
  }
}
