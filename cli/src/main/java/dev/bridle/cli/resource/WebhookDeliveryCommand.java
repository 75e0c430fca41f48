package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about deliveries of webhooks. */
@Command(
    name = "delivery",
    description = "List deliveries of a webhook, and redeliver or drop failed ones.",
    subcommands = {
      ListDeliveriesCommand.class,
      GetDeliveryCommand.class,
      RedeliverCommand.class,
      DropDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle webhook delivery list webhook_01J9 --status failed"})
final class WebhookDeliveryCommand extends DeliveryGroup {
  /** Creates the command; called by picocli. */
  WebhookDeliveryCommand() {
    super("/v1/webhooks", "created_at", "status", "event_kind", "task_id", "failures");
  }
}
