package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;

/** A group of commands about incoming or outgoing deliveries: holds the path of its collection. */
abstract class DeliveryGroup extends CommandGroup {
  private final String owners;
  private final String[] members;

  /**
   * Creates a group for the deliveries of one kind of resource.
   *
   * @param owners the collection path of the resources that own the deliveries
   * @param members the JSON members that a line of text output shows after the id
   */
  DeliveryGroup(String owners, String... members) {
    this.owners = owners;
    this.members = members.clone();
  }

  final String path(String owner) {
    return owners + "/" + RestClient.escape(owner) + "/deliveries";
  }

  final String path(String owner, String delivery) {
    return path(owner) + "/" + RestClient.escape(delivery);
  }

  final String[] members() {
    return members.clone();
  }

  /** Posts an action on a delivery and prints the delivery that the server returns. */
  final void perform(
      ServerChoice server, Shown shown, String owner, String delivery, String action) {
    shown.one(
        server
            .connect()
            .post(
                path(owner, delivery) + "/" + action,
                JsonLines.object(),
                UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        members);
  }
}
