package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Delegates a permission request. */
@Command(
    name = "delegate",
    description = "Delegate a permission request to another actor.",
    footer = {"%nExample:", "  bridle permission delegate permission_01J9 --to bob"})
final class DelegateCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "REQUEST", description = "The permission request's id.")
  private String request = "";

  @Option(
      names = "--to",
      paramLabel = "ACTOR",
      required = true,
      description = "The actor who is to answer.")
  private String to = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--json", description = "Print the request as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    ObjectNode body = JsonLines.object().put("to", to);
    reason.ifPresent(why -> body.put("reason", why));
    new PermissionOutput(spec.commandLine().getOut(), json)
        .line(
            server
                .connect()
                .post(
                    "/v1/permission-requests/" + RestClient.escape(request) + "/delegate",
                    body,
                    UUID.randomUUID().toString()));
  }
}
