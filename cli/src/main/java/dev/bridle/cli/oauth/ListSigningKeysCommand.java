package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.SigningKey;
import dev.bridle.cli.console.Listing;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the active keys and the retired keys that still verify signatures. */
@Command(
    name = "list",
    description = "List active keys, and retired keys that still verify signatures, newest first.",
    footer = {"%nExample:", "  bridle oauth key list --json"})
final class ListSigningKeysCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    List<SigningKey> keys =
        access
            .with(admin -> admin.listSigningKeys(ListSigningKeysRequest.getDefaultInstance()))
            .getKeysList();
    try (Listing list = new Listing(out, access.json(), "ID", "PURPOSE", "CREATED AT", "STATE")) {
      for (SigningKey key : keys) {
        list.add(
            access.json() ? OAuthOutput.json(key).toString() : OAuthOutput.text(key),
            OAuthOutput.cells(key));
      }
    }
  }
}
