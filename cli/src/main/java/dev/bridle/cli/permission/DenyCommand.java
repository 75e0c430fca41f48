package dev.bridle.cli.permission;

import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Denies a permission request. */
@Command(
    name = "deny",
    description = "Deny a permission request, as the actor of the API key.",
    footer = {"%nExample:", "  bridle permission deny permission_01J9 --reason 'not on a Friday'"})
final class DenyCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private AnswerOptions answer;

  @Option(names = "--json", description = "Print the request as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    new PermissionOutput(spec.commandLine().getOut(), json)
        .line(answer.send(server.connect(), false, Optional.empty()));
  }
}
