package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;

/**
 * A group of commands about one kind of resource: holds its collection path and the members that a
 * line of text output shows.
 */
abstract class ResourceGroup extends CommandGroup {
  private final String path;
  private final String[] members;

  /**
   * Creates a group for one kind of resource.
   *
   * @param path the path of the collection
   * @param members the JSON members that a line of text output shows after the id
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

  /** Creates a resource from a request body and prints it. */
  final void create(ServerChoice server, Shown shown, ObjectNode body) {
    shown.one(
        server.connect().post(path, body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        members);
  }

  /** Prints the resources that match a query string, which may be empty. */
  final void list(ServerChoice server, Shown shown, String query, int limit) {
    shown.all(server.connect(), path + query, limit, spec().commandLine().getOut(), members);
  }

  /**
   * Posts an action without a body on a resource and prints the resource that the server returns.
   */
  final void perform(ServerChoice server, Shown shown, String id, String action) {
    perform(server, shown, id, action, JsonLines.object(), members);
  }

  /** Posts an action on a resource and prints the given members of the response. */
  final void perform(
      ServerChoice server,
      Shown shown,
      String id,
      String action,
      ObjectNode body,
      String... answered) {
    shown.one(
        server.connect().post(path(id) + "/" + action, body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        answered);
  }

  final String[] members() {
    return members.clone();
  }
}
