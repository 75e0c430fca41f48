package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.ListSigningKeysResponse;
import dev.bridle.cli.console.Listing;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the active keys and the retired keys that still verify signatures. */
@Command(
    name = "list",
    description = {
      "List active keys, and retired keys that still verify signatures, newest first.",
      "After them come the keys of other servers that imports have brought."
    },
    footer = {"%nExample:", "  bridle oauth key list --json"})
final class ListSigningKeysCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    ListSigningKeysResponse keys =
        access.with(admin -> admin.listSigningKeys(ListSigningKeysRequest.getDefaultInstance()));
    try (Listing list = new Listing(out, access.json(), "ID", "PURPOSE", "CREATED AT", "STATE")) {
      keys.getKeysList().forEach(key -> list.add(access.shown(key), OAuthOutput.cells(key)));
      keys.getImportedKeysList()
          .forEach(key -> list.add(access.shown(key), OAuthOutput.cells(key)));
    }
    if (keys.getImportedKeysLeftOut() > 0) {
      spec.commandLine()
          .getErr()
          .println(
              keys.getImportedKeysLeftOut() + " more keys that came with imports are not listed.");
    }
  }
}
