package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.OAuthClient;
import dev.bridle.admin.v1.RevokeOAuthClientRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Revokes an OAuth client and its tokens. */
@Command(
    name = "revoke",
    description = "Revoke an OAuth client and all its tokens, effective at once.",
    footer = {"%nExample:", "  bridle oauth client revoke client_01J9"})
final class RevokeClientCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The client's tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "default")
  private String tenant = "default";

  @Parameters(
      paramLabel = "CLIENT_ID",
      description = "The client's id, as 'bridle oauth client list' shows it.")
  private String clientId = "";

  @Override
  public void run() {
    RevokeOAuthClientRequest request =
        RevokeOAuthClientRequest.newBuilder().setTenantId(tenant).setClientId(clientId).build();
    OAuthClient client = access.with(admin -> admin.revokeOAuthClient(request)).getClient();
    spec.commandLine()
        .getOut()
        .println(access.json() ? OAuthOutput.json(client).toString() : OAuthOutput.text(client));
  }
}
