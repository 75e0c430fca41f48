package dev.bridle.cli.resource;

import picocli.CommandLine.Command;

/** The group of commands about what a webhook sends. */
@Command(
    name = "delivery",
    description = "List what a webhook sends, and settle what failed.",
    subcommands = {
      ListDeliveriesCommand.class,
      GetDeliveryCommand.class,
      RedeliverCommand.class,
      DropDeliveryCommand.class
    },
    footer = {"%nExample:", "  bridle webhook delivery list webhook_01J9 --status failed"})
final class WebhookDeliveryCommand extends DeliveryGroup {
  /** Made by picocli. */
  WebhookDeliveryCommand() {
    super("/v1/webhooks", "created_at", "status", "event_kind", "task_id", "failures");
  }
}
