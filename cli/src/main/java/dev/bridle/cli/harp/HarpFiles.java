package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.SealedArtifact;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Reads and writes documents of HARP in files. */
final class HarpFiles {
  private HarpFiles() {}

  /** Reads a file that is not larger than a document may be. */
  static byte[] read(Path file) {
    try {
      if (Files.size(file) > SealedArtifact.MAX_BYTES) {
        throw new CommandFailed(ExitCodes.FAILED, "The file " + file + " is too large.");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The file " + file + " can't be read: " + e, e);
    }
  }

  /** Reads an object. */
  static ObjectNode object(Path file) {
    byte[] content = read(file);
    if (content.length == 0) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + file + " is empty; expected a JSON object.");
    }
    try {
      return HarpJson.parse(content, SealedArtifact.MAX_BYTES);
    } catch (HarpException e) {
      // Its code is for what comes over a relay.
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + file + " is no JSON object: " + e.getMessage(), e);
    }
  }

  /**
   * Reads an artifact and checks its hash.
   *
   * @param keys opens one whose payload is sealed
   */
  static Artifact artifact(Path file, Optional<KeyOptions> keys) {
    ObjectNode json = object(file);
    try {
      if (json.has("enc")) {
        SealedArtifact sealed = SealedArtifact.of(json);
        return sealed.open(
            keys.orElseThrow(
                    () ->
                        new CommandFailed(
                            ExitCodes.FAILED,
                            file
                                + " is sealed for a device; an enforcer verifies its own artifact."))
                .open()
                .agreement());
      }
      Artifact artifact = Artifact.of(json);
      artifact.verifyHash();
      return artifact;
    } catch (HarpException e) {
      throw refused(file, e);
    }
  }

  /** Writes a document in its canonical form, to a new file or the output. */
  static void write(ObjectNode document, Optional<Path> file, PrintWriter out) {
    try {
      byte[] bytes = HarpJson.canonical(document);
      if (file.isEmpty()) {
        out.println(document);
        out.flush();
        return;
      }
      Files.write(file.get(), bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (HarpException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + file.get() + " can't be written: " + e, e);
    }
  }

  /** Returns the failure of a command whose file was refused. */
  static CommandFailed refused(Path file, HarpException e) {
    return new CommandFailed(
        ExitCodes.FAILED, file + ": " + e.code().spelled() + ": " + e.getMessage(), e);
  }
}
