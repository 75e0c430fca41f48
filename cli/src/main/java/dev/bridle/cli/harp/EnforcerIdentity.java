package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The key by which devices recognize an enforcer: an Ed25519 key whose seed is in a file that its
 * owner alone can read. Its text has no secret.
 */
final class EnforcerIdentity {
  private static final int SEED_BYTES = 32;

  private final byte[] publicKey;

  private EnforcerIdentity(byte[] seed) {
    this.publicKey = SigningKey.ofSeed(seed).verificationKey(KeyValidity.UNBOUNDED).publicKey();
  }

  /** Returns the identity of a file, which is created if it is absent. */
  static EnforcerIdentity of(Path file) {
    try {
      if (Files.exists(file)) {
        return new EnforcerIdentity(
            Base64Url.decode(PrivateFile.read(file))
                .filter(seed -> seed.length == SEED_BYTES)
                .orElseThrow(
                    () ->
                        new CommandFailed(
                            ExitCodes.FAILED, file + " is not the identity of an enforcer.")));
      }
      byte[] seed = new byte[SEED_BYTES];
      new SecureRandom().nextBytes(seed);
      PrivateFile.write(file.toAbsolutePath(), Base64Url.encode(seed) + "\n");
      return new EnforcerIdentity(seed);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + file + " can't be used: " + e.getMessage(), e);
    }
  }

  /** Returns the public key. */
  byte[] publicKey() {
    return publicKey.clone();
  }
}
