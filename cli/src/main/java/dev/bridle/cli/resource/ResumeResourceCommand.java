package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Resumes a paused resource of the group. */
@Command(
    name = "resume",
    description = "Resume a paused resource.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class ResumeResourceCommand implements Runnable {
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "The resource's id.")
  private String id = "";

  @Override
  public void run() {
    group.perform(server, shown, id, "resume");
  }
}
