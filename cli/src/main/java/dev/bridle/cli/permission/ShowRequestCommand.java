package dev.bridle.cli.permission;

import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows all details of a permission request. */
@Command(
    name = "show",
    description =
        "Show a permission request: its exact content, the possible answers, and who answered.",
    footer = {"%nExample:", "  bridle permission show permission_01J9"})
final class ShowRequestCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "REQUEST", description = "The permission request's id.")
  private String request = "";

  @Option(names = "--json", description = "Print the request as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    new PermissionOutput(spec.commandLine().getOut(), json)
        .details(server.connect().get("/v1/permission-requests/" + RestClient.escape(request)));
  }
}
