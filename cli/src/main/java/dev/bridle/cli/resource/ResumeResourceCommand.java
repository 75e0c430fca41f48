package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Let one that is paused work again. */
@Command(
    name = "resume",
    description = "Let one that is paused work again.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class ResumeResourceCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Override
  public void run() {
    group.does(server, shown, id, "resume");
  }
}
