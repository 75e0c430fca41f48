package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Retries a failed delivery. */
@Command(
    name = "redeliver",
    description = "Retry a failed delivery.",
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID DELIVERY"})
final class RedeliverCommand implements Runnable {
  @ParentCommand private DeliveryGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(index = "0", paramLabel = "ID", description = "The id of the connector or webhook.")
  private String owner = "";

  @Parameters(index = "1", paramLabel = "DELIVERY", description = "The delivery's id.")
  private String delivery = "";

  @Override
  public void run() {
    group.perform(server, shown, owner, delivery, "redeliver");
  }
}
