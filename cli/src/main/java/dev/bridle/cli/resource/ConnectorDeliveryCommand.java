package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about what came in at a connector. */
@Command(
    name = "delivery",
    description = "List what came in at a connector, and settle what failed.",
    footer = {"%nExample:", "  bridle connector delivery list connector_01J9 --status failed"})
final class ConnectorDeliveryCommand extends CommandGroup {
  private static final String[] MEMBERS = {
    "created_at", "status", "event_kind", "task_id", "failure"
  };

  @Command(
      name = "list",
      description = "List deliveries, newest first. Those that failed are the dead letters.",
      footer = {"%nExample:", "  bridle connector delivery list connector_01J9 --status failed"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String connector,
      @Option(
              names = "--status",
              paramLabel = "STATUS",
              description = "Only those: received, done, ignored, failed or dropped.")
          Optional<String> status,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "How many at most (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    String query =
        status
            .map(given -> "?status=" + RestClient.escape(given.toUpperCase(Locale.ROOT)))
            .orElse("");
    shown.all(
        server.connect(), path(connector) + query, limit, spec().commandLine().getOut(), MEMBERS);
  }

  @Command(
      name = "get",
      description = "Show a delivery; with --json, its body where that is kept still.",
      footer = {
        "%nExample:",
        "  bridle connector delivery get connector_01J9 delivery_01J9 --json"
      })
  void get(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String connector,
      @Parameters(paramLabel = "DELIVERY", description = "The delivery's id.") String delivery) {
    shown.one(
        server.connect().get(path(connector) + "/" + RestClient.escape(delivery)),
        spec().commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "redeliver",
      description = "Have a delivery that failed worked on again.",
      footer = {"%nExample:", "  bridle connector delivery redeliver connector_01J9 delivery_01J9"})
  void redeliver(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String connector,
      @Parameters(paramLabel = "DELIVERY", description = "The delivery's id.") String delivery) {
    does(server, shown, connector, delivery, "redeliver");
  }

  @Command(
      name = "drop",
      description = "Drop a delivery that failed: its body goes.",
      footer = {"%nExample:", "  bridle connector delivery drop connector_01J9 delivery_01J9"})
  void drop(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "CONNECTOR", description = "The connector's id.") String connector,
      @Parameters(paramLabel = "DELIVERY", description = "The delivery's id.") String delivery) {
    does(server, shown, connector, delivery, "drop");
  }

  private void does(
      ServerChoice server, Shown shown, String connector, String delivery, String verb) {
    shown.one(
        server
            .connect()
            .post(
                path(connector) + "/" + RestClient.escape(delivery) + "/" + verb,
                JsonLines.object(),
                UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        MEMBERS);
  }

  private static String path(String connector) {
    return "/v1/connectors/" + RestClient.escape(connector) + "/deliveries";
  }
}
