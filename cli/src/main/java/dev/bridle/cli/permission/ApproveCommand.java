package dev.bridle.cli.permission;

import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Approves a permission request. */
@Command(
    name = "approve",
    description = {
      "Approve a permission request, as the actor of the API key.",
      "Without --grant, the agent may perform this action once."
    },
    footer = {"%nExample:", "  bridle permission approve permission_01J9 --reason 'looks right'"})
final class ApproveCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private AnswerOptions answer;

  @Option(
      names = "--grant",
      paramLabel = "ID",
      description = "One of the offered grants, which allows later actions until it is revoked.")
  private Optional<String> grant = Optional.empty();

  @Option(names = "--json", description = "Print the request as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    new PermissionOutput(spec.commandLine().getOut(), json)
        .line(answer.send(server.connect(), true, grant));
  }
}
