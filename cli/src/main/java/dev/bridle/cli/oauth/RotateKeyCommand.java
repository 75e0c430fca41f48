package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyResponse;
import dev.bridle.admin.v1.SigningKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a new signing key. */
@Command(
    name = "rotate",
    description = {
      "Make new signing keys for tokens and for the card, which sign from now on.",
      "The old ones verify until what they signed has expired."
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
      description = "End the old keys, and all that they signed, at once: one may be stolen.")
  private boolean endOldKeys;

  @Override
  public void run() {
    RotateSigningKeyRequest request =
        RotateSigningKeyRequest.newBuilder().setEndOldKeys(endOldKeys).build();
    RotateSigningKeyResponse rotated = access.with(admin -> admin.rotateSigningKey(request));
    print(rotated.getKey());
    if (rotated.hasCardKey()) {
      print(rotated.getCardKey());
    }
  }

  private void print(SigningKey key) {
    spec.commandLine()
        .getOut()
        .println(access.json() ? OAuthOutput.json(key).toString() : OAuthOutput.text(key));
  }
}
