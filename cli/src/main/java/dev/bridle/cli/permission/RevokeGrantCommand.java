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

/** Revokes a standing grant. */
@Command(
    name = "revoke",
    description = "Revoke a standing grant: it allows no later actions.",
    footer = {"%nExample:", "  bridle grant revoke grant_01J9"})
final class RevokeGrantCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "GRANT", description = "The grant's id.")
  private String grant = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--json", description = "Print the grant as one line of JSON.")
  private boolean json;

  @Override
  public void run() {
    ObjectNode body = JsonLines.object();
    reason.ifPresent(why -> body.put("reason", why));
    new PermissionOutput(spec.commandLine().getOut(), json)
        .grant(
            server
                .connect()
                .post(
                    "/v1/permission-grants/" + RestClient.escape(grant) + "/revoke",
                    body,
                    UUID.randomUUID().toString()));
  }
}
