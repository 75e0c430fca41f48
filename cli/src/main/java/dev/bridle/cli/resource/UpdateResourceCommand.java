package dev.bridle.cli.resource;

import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Updates a resource of the group. */
@Command(
    name = "update",
    description = {
      "Update the members that --set names.",
      "null clears a member; metadata and lists are replaced as a whole."
    },
    footer = {"%nExample:", "  ${COMMAND-FULL-NAME} ID --set '{\"metadata\":{\"team\":\"core\"}}'"})
final class UpdateResourceCommand implements Runnable {
  @Spec private CommandSpec spec;
  @ParentCommand private ResourceGroup group;
  @Mixin private ServerChoice server;
  @Mixin private Shown shown;

  @Parameters(paramLabel = "ID", description = "The resource's id.")
  private String id = "";

  @Option(
      names = "--set",
      paramLabel = "JSON",
      required = true,
      description = "The members to update, as a JSON object.")
  private String members = "";

  @Override
  public void run() {
    shown.one(
        server
            .connect()
            .patch(
                group.path(id),
                Shown.object(Optional.of(members), "--set"),
                UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        group.members());
  }
}
