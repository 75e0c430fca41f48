package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Deletes a resource of the group. */
@Command(
    name = "delete",
    description = "Delete a resource permanently. What it has created stays.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class DeleteResourceCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "ID", description = "The resource's id.")
  private String id = "";

  @Override
  public void run() {
    server.connect().delete(group.path(id), UUID.randomUUID().toString());
    spec.commandLine().getOut().println(id + " is deleted.");
  }
}
