package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about the secrets of vaults. No command prints a value. */
@Command(
    name = "secret",
    description = "Set, rotate, list and delete the secrets of a vault.",
    footer = {"%nExample:", "  bridle vault secret list vault_01J9"})
final class VaultSecretCommand extends CommandGroup {
  private static final String[] MEMBERS = {"name", "version", "version_created_at"};

  @Command(
      name = "set",
      description = "Create a secret in a vault, or replace its value.",
      footer = {"%nExample:", "  bridle vault secret set vault_01J9 github --value-file token.txt"})
  void set(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Mixin GivenValue value,
      @Parameters(paramLabel = "VAULT", description = "The vault's id.") String vault,
      @Parameters(paramLabel = "NAME", description = "The secret's name.") String name) {
    RestClient client = server.connect();
    shown.one(
        client.put(path(vault, name), value.body(), UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "rotate",
      description = "Replace the value of an existing secret.",
      footer = {
        "%nExample:",
        "  bridle vault secret rotate vault_01J9 github --value-file token.txt"
      })
  void rotate(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Mixin GivenValue value,
      @Parameters(paramLabel = "VAULT", description = "The vault's id.") String vault,
      @Parameters(paramLabel = "NAME", description = "The secret's name.") String name) {
    RestClient client = server.connect();
    shown.one(
        client.post(path(vault, name) + "/rotate", value.body(), UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "list",
      description = "List the secrets of a vault by name.",
      footer = {"%nExample:", "  bridle vault secret list vault_01J9"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "VAULT", description = "The vault's id.") String vault,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
              defaultValue = "100")
          int limit) {
    shown.all(server.connect(), path(vault), limit, spec().commandLine().getOut(), MEMBERS);
  }

  @Command(
      name = "delete",
      description = "Delete a secret permanently.",
      footer = {"%nExample:", "  bridle vault secret delete vault_01J9 github"})
  void delete(
      @Mixin ServerChoice server,
      @Parameters(paramLabel = "VAULT", description = "The vault's id.") String vault,
      @Parameters(paramLabel = "NAME", description = "The secret's name.") String name) {
    server.connect().delete(path(vault, name), UUID.randomUUID().toString());
    spec().commandLine().getOut().println("Secret " + name + " is deleted.");
  }

  private static String path(String vault) {
    return "/v1/vaults/" + RestClient.escape(vault) + "/secrets";
  }

  private static String path(String vault, String name) {
    return path(vault) + "/" + RestClient.escape(name);
  }
}
