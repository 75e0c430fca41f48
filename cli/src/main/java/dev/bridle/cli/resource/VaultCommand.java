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
    description = "Manage vaults and their secrets.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      VaultSecretCommand.class
    },
    footer = {"%nExample:", "  bridle vault list"})
public final class VaultCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public VaultCommand() {
    super("/v1/vaults", "workspace_id", "provider", "capabilities");
  }

  @Command(
      name = "create",
      description = "Create a vault.",
      footer = {"%nExample:", "  bridle vault create --workspace default"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "The workspace of the vault (default: shared by all workspaces).")
          Optional<String> workspace,
      @Option(
              names = "--capability",
              paramLabel = "NAME",
              description = {
                "How its secrets may be used: read, by agents; write, by people.",
                "Can be repeated (default: both)."
              })
          List<String> capabilities,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("provider", "bridle");
    workspace.ifPresent(id -> body.put("workspace_id", id));
    ArrayNode allowed = body.putArray("capabilities");
    Optional.ofNullable(capabilities).orElse(List.of("read", "write")).forEach(allowed::add);
    create(server, shown, body);
  }
}
