package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Deletes a resource. */
@Command(
    name = "delete",
    description = "Delete one, for good. What it has made stays.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID"})
final class DeleteResourceCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id = "";

  @Override
  public void run() {
    server.connect().delete(group.path(id), UUID.randomUUID().toString());
    spec.commandLine().getOut().println(id + " is deleted.");
  }
}
