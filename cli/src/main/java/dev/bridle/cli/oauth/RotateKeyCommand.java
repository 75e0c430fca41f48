package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyResponse;
import dev.bridle.admin.v1.SigningKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates new signing keys. */
@Command(
    name = "rotate",
    description = {
      "Rotate the signing keys of tokens and of the agent card: new keys sign from now on.",
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
          "Revoke the old keys and everything that they signed at once, such as after a theft.")
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
