package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import picocli.CommandLine;

/** What is special about the commands of connectors. */
final class ConnectorOverrides {
  /** The members that a line of text shows of a delivery. */
  static final Column[] DELIVERY =
      Column.of("connector_id", "created_at", "status", "event_kind", "task_id", "failure");

  private ConnectorOverrides() {}

  static Overrides create() {
    return addDeliveries(addCreation(new Overrides()))
        .columns(
            "",
            "workspace_id",
            "provider",
            "status",
            "/webhook/path",
            "/polling/url",
            "/polls/last_error/code")
        .command(
            "poll",
            "Poll a connector now instead of at its next scheduled poll.\n"
                + "The result appears in the member polls of the connector shortly after.",
            "connector_01J9")
        .command(
            "renew-ingress",
            "Replace the ingress path of a connector; the old path stops working.",
            "connector_01J9")
        .command("delete", "Delete a connector permanently. Tasks that it created stay.", "ID");
  }

  private static Overrides addCreation(Overrides overrides) {
    return overrides
        .command(
            "create",
            "Create a connector that receives webhooks (--preset), polls a URL (--poll), or both.",
            """
            --workspace default --preset github \\
              --secret vault_01J9/github-hook --event-kind issues --text 'Look at {/issue/title}'
            --workspace default --poll https://news.example/feed.xml \\
              --format feed --every 15m --text 'Read {/title?}: {/link}'""")
        .option(
            "webhook.signature.preset",
            "--preset",
            "How deliveries are signed: github, slack, stripe, bridle, custom (with --set), or"
                + " none.")
        .option(
            "webhook.signature.secret",
            "--secret",
            "The vault secret that deliveries are signed with.")
        .option("polling.url", "--poll", "Poll this URL for new items.")
        .option("polling.interval_seconds", "--every", "The interval between polls, such as 15m.")
        .option(
            "polling.cron",
            "--cron",
            "The poll schedule instead of an interval, as five cron fields.")
        .option("polling.time_zone", "--zone", "The time zone of --cron (default: UTC).")
        .option(
            "polling.format",
            "--format",
            "The response format: json, or feed for RSS or Atom (default: json).")
        .option(
            "polling.items",
            "--items",
            "The JSON Pointer to the list of items (default: the response is one item).")
        .option(
            "polling.item_id",
            "--item-id",
            "The JSON Pointer to the id of an item, relative to the item.")
        .option(
            "polling.initial",
            "--initial",
            "Whether the first poll skips existing items, or all are submitted: skip or all"
                + " (default: skip).")
        .option(
            "auth.secret",
            "--auth-secret",
            "The vault secret sent as a bearer token; use --set for other schemes.")
        .option(
            "mapping.text",
            "--text",
            "The text of the task; {/title} inserts the value at that JSON Pointer of the body.")
        .flag("create", "--message", "Append messages to the session instead of submitting tasks.")
        .help("--event-kind", "An event kind to accept; can be repeated (default: all).")
        .help("--session", "The session of its tasks (default: one for each delivery).")
        .help("--provider", "The provider's name (default: the preset, else poll).")
        .byDefault("create", "provider", "\"poll\"")
        .byDefault("create", "mapping.target", "\"task\"")
        .check("create", ConnectorOverrides::complete);
  }

  /** Rejects a connector that can receive nothing, and completes what follows from its options. */
  private static void complete(CommandLine line, ObjectNode body) {
    if (!body.has("webhook") && !body.has("polling")) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "A connector needs --preset (webhooks), --poll (a URL to poll), or both.");
    }
    if (body.has("auth")
        ? !body.has("polling")
        : body.has("polling") && !body.at("/polling").has("url")) {
      throw new CommandFailed(ExitCodes.USAGE, "Polling options need --poll URL.");
    }
    if (!body.has("provider") && body.at("/webhook/signature/preset").isTextual()) {
      body.set("provider", body.at("/webhook/signature/preset"));
    }
    if (line.getParseResult().hasMatchedOption("--auth-secret")
        && !body.at("/auth").has("prefix")) {
      MemberOption.put(body, "auth.prefix", TextNode.valueOf("Bearer "));
    }
    if (line.getParseResult().hasMatchedOption("--message")) {
      MemberOption.put(body, "mapping.target", TextNode.valueOf("message"));
    }
  }

  private static Overrides addDeliveries(Overrides overrides) {
    return overrides
        .command(
            "delivery",
            "List deliveries to a connector, and redeliver or drop failed ones.",
            "list connector_01J9 --status failed")
        .columns("delivery", DELIVERY)
        .add("delivery list", new ListConnectorDeliveriesCommand())
        .command("delivery redeliver", "Retry a failed delivery.", "ID DELIVERY")
        .command("delivery drop", "Drop a failed delivery.", "ID DELIVERY");
  }
}
