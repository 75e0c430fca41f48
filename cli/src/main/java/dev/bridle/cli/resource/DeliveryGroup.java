package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;

/** A group of commands about what came in somewhere, or went out: where it is served. */
abstract class DeliveryGroup extends CommandGroup {
  private final String owners;
  private final String[] members;

  /**
   * A group about the deliveries of what is served there.
   *
   * @param owners the path of those that have deliveries
   * @param members the members that a readable line shows, after the id
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

  /** Does something about a delivery, and shows it. */
  final void does(ServerChoice server, Shown shown, String owner, String delivery, String verb) {
    shown.one(
        server
            .connect()
            .post(
                path(owner, delivery) + "/" + verb,
                JsonLines.object(),
                UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        members);
  }
}
