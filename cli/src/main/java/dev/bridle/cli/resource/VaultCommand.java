package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.ServerChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group of commands about vaults. */
@Command(
    name = "vault",
    description = "Make, change, show and list vaults, and put secrets into them.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      VaultSecretCommand.class
    },
    footer = {"%nExample:", "  bridle vault list"})
public final class VaultCommand extends ResourceGroup {
  /** Made by picocli. */
  public VaultCommand() {
    super("/v1/vaults", "workspace_id", "provider", "capabilities");
  }

  @Command(
      name = "create",
      description = "Make a vault.",
      footer = {"%nExample:", "  bridle vault create --workspace default"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "The workspace that it belongs to (default: all share it).")
          Optional<String> workspace,
      @Option(
              names = "--capability",
              paramLabel = "NAME",
              description = {
                "What may be done with its secrets: read, by agents; write, by people.",
                "More than once (default: both)."
              })
          List<String> capabilities,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("provider", "bridle");
    workspace.ifPresent(id -> body.put("workspace_id", id));
    ArrayNode allowed = body.putArray("capabilities");
    Optional.ofNullable(capabilities).orElse(List.of("read", "write")).forEach(allowed::add);
    make(server, shown, body);
  }
}
