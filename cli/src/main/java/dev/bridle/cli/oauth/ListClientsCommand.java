package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.ListOAuthClientsRequest;
import dev.bridle.admin.v1.OAuthClient;
import dev.bridle.cli.console.Listing;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists OAuth clients without their secrets, oldest first. */
@Command(
    name = "list",
    description = "List OAuth clients, oldest first, without their secrets.",
    footer = {"%nExample:", "  bridle oauth client list --tenant default --json"})
final class ListClientsCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "Show only results of this tenant (default: all).",
      defaultValue = "")
  private String tenant = "";

  @Override
  public void run() {
    ListOAuthClientsRequest request =
        ListOAuthClientsRequest.newBuilder().setTenantId(tenant).build();
    PrintWriter out = spec.commandLine().getOut();
    List<OAuthClient> clients =
        access.with(admin -> admin.listOAuthClients(request)).getClientsList();
    try (Listing list =
        new Listing(
            out, access.json(), "ID", "TENANT", "ACTOR", "CREATED AT", "SCOPES", "REVOKED AT")) {
      for (OAuthClient client : clients) {
        list.add(
            access.json() ? OAuthOutput.json(client).toString() : OAuthOutput.text(client),
            OAuthOutput.cells(client));
      }
    }
  }
}
