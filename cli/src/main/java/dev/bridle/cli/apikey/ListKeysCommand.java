package dev.bridle.cli.apikey;

import dev.bridle.admin.v1.ApiKey;
import dev.bridle.admin.v1.ListApiKeysRequest;
import dev.bridle.cli.console.Listing;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists API keys without their secrets, oldest first. */
@Command(
    name = "list",
    description = "List API keys, oldest first, without their secrets.",
    footer = {"%nExample:", "  bridle apikey list --tenant default --json"})
final class ListKeysCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DirectoryChoice directory;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "Show only results of this tenant (default: all).")
  private Optional<String> tenant = Optional.empty();

  @Override
  public void run() {
    ListApiKeysRequest request =
        ListApiKeysRequest.newBuilder().setTenantId(tenant.orElse("")).build();
    List<ApiKey> keys = directory.access().with(admin -> admin.listApiKeys(request)).getKeysList();
    PrintWriter out = spec.commandLine().getOut();
    try (Listing list =
        new Listing(
            out, directory.json(), "ID", "TENANT", "ACTOR", "CREATED AT", "SCOPES", "REVOKED AT")) {
      for (ApiKey key : keys) {
        list.add(
            directory.json() ? KeyOutput.json(key).toString() : KeyOutput.text(key),
            KeyOutput.cells(key));
      }
    }
  }
}
