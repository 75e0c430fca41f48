package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Let one do nothing until it is resumed. */
@Command(
    name = "pause",
    description = "Let one do nothing until it is resumed.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class PauseResourceCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Override
  public void run() {
    group.does(server, shown, id, "pause");
  }
}
