package dev.bridle.cli.resource;

import dev.bridle.cli.rest.RestClient;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of commands about one kind of resource: where it is served, and what a line shows. */
abstract class ResourceGroup implements Runnable {
  private final String path;
  private final String[] members;

  @Spec private CommandSpec spec;

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

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  final CommandSpec spec() {
    return spec;
  }

  final String path() {
    return path;
  }

  final String path(String id) {
    return path + "/" + RestClient.escape(id);
  }

  final String[] members() {
    return members.clone();
  }
}
