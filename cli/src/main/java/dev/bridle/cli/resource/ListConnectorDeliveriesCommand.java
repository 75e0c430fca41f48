package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the deliveries of a connector, or the dead letters of all connectors. */
@Command(
    name = "list",
    description = {
      "List the deliveries of a connector, newest first.",
      "Without a connector: the dead letters (failed deliveries) of all connectors."
    },
    footer = {
      "%nExamples:",
      "  bridle connector delivery list connector_01J9 --status failed",
      "  bridle connector delivery list --workspace default"
    })
final class ListConnectorDeliveriesCommand implements Runnable {
  private static final String DEAD = "failed";

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CONNECTOR",
      description = "The connector's id.")
  private Optional<String> connector = Optional.empty();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Show only deliveries with this status, such as failed.")
  private Optional<String> status = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Without a connector: show only dead letters of this workspace.")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Override
  public void run() {
    shown.all(
        server.connect(), list(), limit, spec.commandLine().getOut(), ConnectorOverrides.DELIVERY);
  }

  private String list() {
    if (connector.isPresent()) {
      if (workspace.isPresent()) {
        throw new CommandFailed(
            ExitCodes.USAGE, "--workspace can't be combined with a connector. Remove one of them.");
      }
      return "/v1/connectors/"
          + RestClient.escape(connector.get())
          + "/deliveries"
          + status
              .map(given -> "?status=" + RestClient.escape(given.toUpperCase(Locale.ROOT)))
              .orElse("");
    }
    if (status.filter(given -> !given.equalsIgnoreCase(DEAD)).isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "--status is '"
              + status.get()
              + "'. Without a connector, only failed deliveries are listed.");
    }
    return "/v1/connector_dead_letters"
        + workspace.map(id -> "?workspace_id=" + RestClient.escape(id)).orElse("");
  }
}
