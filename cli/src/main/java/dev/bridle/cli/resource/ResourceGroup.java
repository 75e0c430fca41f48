package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;

/** A group of commands about one kind of resource: where it is served, and what a line shows. */
abstract class ResourceGroup extends CommandGroup {
  private final String path;
  private final String[] members;

  /**
   * A group about what is served there.
   *
   * @param path the list's path
   * @param members the members that a readable line shows, after the id
   */
  ResourceGroup(String path, String... members) {
    this.path = path;
    this.members = members.clone();
  }

  final String path() {
    return path;
  }

  final String path(String id) {
    return path + "/" + RestClient.escape(id);
  }

  /** Makes a resource of a body, and shows it. */
  final void make(ServerChoice server, Shown shown, ObjectNode body) {
    shown.one(
        server.connect().post(path, body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        members);
  }

  /** Lists the resources that a query names, which may be empty. */
  final void list(ServerChoice server, Shown shown, String query, int limit) {
    shown.all(server.connect(), path + query, limit, spec().commandLine().getOut(), members);
  }

  /** Does something about a resource that takes nothing further, and shows what is left of it. */
  final void does(ServerChoice server, Shown shown, String id, String verb) {
    does(server, shown, id, verb, JsonLines.object(), members);
  }

  /** Does something about a resource, and shows what the server answers. */
  final void does(
      ServerChoice server,
      Shown shown,
      String id,
      String verb,
      ObjectNode body,
      String... answered) {
    shown.one(
        server.connect().post(path(id) + "/" + verb, body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        answered);
  }

  final String[] members() {
    return members.clone();
  }
}
