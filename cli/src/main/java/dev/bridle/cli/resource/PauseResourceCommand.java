package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Pauses a resource of the group. */
@Command(
    name = "pause",
    description = "Pause a resource until it is resumed.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class PauseResourceCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "The resource's id.")
  private String id = "";

  @Override
  public void run() {
    group.perform(server, shown, id, "pause");
  }
}
