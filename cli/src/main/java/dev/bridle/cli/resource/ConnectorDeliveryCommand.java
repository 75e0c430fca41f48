package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about what came in at a connector. */
@Command(
    name = "delivery",
    description = "List what came in at a connector, and settle what failed.",
    subcommands = {
      ListConnectorDeliveriesCommand.class,
      GetDeliveryCommand.class,
      RedeliverCommand.class,
      DropDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle connector delivery list connector_01J9 --status failed"})
final class ConnectorDeliveryCommand extends DeliveryGroup {
  /** Made by picocli. */
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
