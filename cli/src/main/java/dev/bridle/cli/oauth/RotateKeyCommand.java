package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyResponse;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates new signing keys. */
@Command(
    name = "rotate",
    description = {
      "Rotate the signing keys of tokens, of the agent card and of receipts: new keys sign from now"
          + " on.",
      "The old keys verify signatures until everything that they signed has expired."
    },
    footer = {
      "%nExamples:",
      "  bridle oauth key rotate",
      "  bridle oauth key rotate --end-old-keys"
    })
final class RotateKeyCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Option(
      names = "--end-old-keys",
      description =
          "Revoke the old keys and everything that they signed at once, such as after a theft."
              + " Phones must be paired again.")
  private boolean endOldKeys;

  @Override
  public void run() {
    RotateSigningKeyRequest request =
        RotateSigningKeyRequest.newBuilder().setEndOldKeys(endOldKeys).build();
    RotateSigningKeyResponse rotated = access.with(admin -> admin.rotateSigningKey(request));
    PrintWriter out = spec.commandLine().getOut();
    out.println(access.shown(rotated.getKey()));
    if (rotated.hasCardKey()) {
      out.println(access.shown(rotated.getCardKey()));
    }
    if (rotated.hasReceiptKey()) {
      out.println(access.shown(rotated.getReceiptKey()));
    }
  }
}
