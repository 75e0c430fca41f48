package dev.bridle.cli.receipt;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.verify.OneLine;
import dev.bridle.proof.verify.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The keys that signatures are verified with.
 *
 * @param source where they come from
 */
public record IssuerKeys(KeySet keys, Source source) {
  /** No keys. */
  public static final IssuerKeys NONE = new IssuerKeys(KeySet.EMPTY, Source.NONE);

  /** Where keys come from. */
  public enum Source {
    /** From {@code --keys}. */
    TRUSTED,
    /** From the file with the receipts: whoever wrote it may have made both. */
    SAME_FILE,
    /** There are none. */
    NONE
  }

  /** Reads the file of {@code --keys}. */
  public static IssuerKeys read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] json = in.readNBytes(StrictJson.MAX_BYTES + 1);
      KeySet keys = KeySet.parse(json);
      if (keys.keys().isEmpty()) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            OneLine.of(
                "The key set "
                    + file
                    + " has no Ed25519 key, so nothing can be verified with it. Get the server's keys"
                    + " with 'bridle receipt keys'."));
      }
      return new IssuerKeys(keys, Source.TRUSTED);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, OneLine.of("The key set " + file + " can't be read: " + e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          OneLine.of("The key set " + file + " is rejected: " + e.getMessage()),
          e);
    }
  }

  /** Returns what a verifier may conclude from these keys. */
  public Trust trust() {
    return switch (source) {
      case TRUSTED -> Trust.of(keys);
      case SAME_FILE -> Trust.unproven(keys);
      case NONE -> Trust.none();
    };
  }

  /** Returns how many keys of another set are missing here, or have another validity here. */
  long countUnconfirmed(KeySet others) {
    return others.keys().stream()
        .filter(other -> keys.find(other.id()).filter(other::equals).isEmpty())
        .count();
  }
}
