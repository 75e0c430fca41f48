package dev.bridle.cli.resource;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lists deliveries, newest first. */
@Command(
    name = "list",
    description = "List deliveries, newest first. Failed deliveries are dead letters.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID --status failed"})
final class ListDeliveriesCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private DeliveryGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(index = "0", paramLabel = "ID", description = "The id of the connector or webhook.")
  private String owner = "";

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Show only deliveries with this status, such as failed.")
  private Optional<String> status = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Override
  public void run() {
    String query =
        status
            .map(given -> "?status=" + RestClient.escape(given.toUpperCase(Locale.ROOT)))
            .orElse("");
    shown.all(
        server.connect(),
        group.path(owner) + query,
        limit,
        spec.commandLine().getOut(),
        group.members());
  }
}
