package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows a resource of the group. */
@Command(
    name = "get",
    description = "Show a resource.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID --json"})
final class GetResourceCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "The resource's id.")
  private String id = "";

  @Override
  public void run() {
    shown.one(server.connect().get(group.path(id)), spec.commandLine().getOut(), group.members());
  }
}
