package dev.bridle.cli.permission;

import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists permission requests, newest first. */
@Command(
    name = "list",
    description = "List permission requests, newest first.",
    footer = {"%nExample:", "  bridle permission list --pending"})
final class ListRequestsCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(names = "--pending", description = "Show only requests that wait for an answer.")
  private boolean pending;

  @Option(names = "--task", paramLabel = "ID", description = "Show only results of this task.")
  private Optional<String> task = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Show only results of this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
      defaultValue = "50")
  private int limit;

  @Option(names = "--json", description = "Print each request as a line of JSON.")
  private boolean json;

  @Override
  public void run() {
    PermissionOutput output = new PermissionOutput(spec.commandLine().getOut(), json);
    String filter =
        Paging.filter("task_id", task)
            + Paging.filter("session_id", session)
            + (pending ? "&status=pending" : "");
    try (Listing list = output.requests()) {
      Paging.rows(
          server.connect(),
          "/v1/permission-requests",
          filter,
          limit,
          request -> output.add(list, request));
    }
  }
}
