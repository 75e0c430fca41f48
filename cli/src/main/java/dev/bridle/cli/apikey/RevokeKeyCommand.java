package dev.bridle.cli.apikey;

import dev.bridle.admin.v1.ApiKey;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Revokes an API key. */
@Command(
    name = "revoke",
    description = "Revoke an API key, effective at once.",
    footer = {"%nExample:", "  bridle apikey revoke key_01J9"})
final class RevokeKeyCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DirectoryChoice directory;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The key's tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "default")
  private String tenant = "default";

  @Parameters(
      paramLabel = "KEY_ID",
      description = "The key's id, as 'bridle apikey list' shows it.")
  private String keyId = "";

  @Override
  public void run() {
    RevokeApiKeyRequest request =
        RevokeApiKeyRequest.newBuilder().setTenantId(tenant).setKeyId(keyId).build();
    ApiKey key = directory.access().with(admin -> admin.revokeApiKey(request)).getKey();
    spec.commandLine()
        .getOut()
        .println(directory.json() ? KeyOutput.json(key).toString() : KeyOutput.text(key));
  }
}
