package dev.bridle.cli.task;

import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists tasks, newest first. */
@Command(
    name = "list",
    description = "List tasks, newest first.",
    footer = {"%nExample:", "  bridle task list --session session_01J9 --limit 10"})
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Show only results of this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Show only results of this workspace.")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Option(names = "--json", description = "Print each task as a line of JSON.")
  private boolean json;

  @Override
  public void run() {
    TaskOutput output = new TaskOutput(spec.commandLine().getOut(), json);
    String filter =
        session.map(id -> "&session_id=" + RestClient.escape(id)).orElse("")
            + workspace.map(id -> "&workspace_id=" + RestClient.escape(id)).orElse("");
    String list = "/v1/tasks" + filter.replaceFirst("^&", "?");
    try (Listing listing = output.listing()) {
      server.connect().rows(list, limit, task -> output.add(listing, task));
    }
  }
}
