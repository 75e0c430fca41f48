package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.KeySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a server that is known to a device has asked. */
final class Issuer {
  private Issuer() {}

  /** Returns a line that says by which key; fails if it is none of a file's. */
  static String line(Artifact artifact, Path file) {
    try {
      return IssuerSignature.verify(artifact, KeySet.parse(Files.readAllBytes(file)))
          .map(key -> "asked by the server with the key " + key)
          .orElseThrow(() -> refused("no key of " + file + " has signed what is asked"));
    } catch (HarpException e) {
      throw refused(e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, file + " has no keys that can be read: " + e.getMessage(), e);
    }
  }

  private static CommandFailed refused(String why) {
    return new CommandFailed(ExitCodes.FAILED, "That is not the server's: " + why + ".");
  }
}
