package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows a delivery. */
@Command(
    name = "get",
    description = "Show a delivery; --json includes all stored members.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID DELIVERY --json"})
final class GetDeliveryCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private DeliveryGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(index = "0", paramLabel = "ID", description = "The id of the connector or webhook.")
  private String owner = "";

  @Parameters(index = "1", paramLabel = "DELIVERY", description = "The delivery's id.")
  private String delivery = "";

  @Override
  public void run() {
    shown.one(
        server.connect().get(group.path(owner, delivery)),
        spec.commandLine().getOut(),
        group.members());
  }
}
