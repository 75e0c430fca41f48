package dev.bridle.cli.masterkey;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.kernel.seal.MasterKeyException;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.storage.KeyValueStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file of the master key, readable by its owner only. Beside an embedded store it is made at
 * the first start; it is in no backup and no export.
 */
public final class MasterKeyFile {
  private static final String NAME = "master.key";

  private MasterKeyFile() {}

  /**
   * Returns the master key for a store.
   *
   * @param given the file that the operator named
   * @param dataDir where the file lies that is made where none was named
   * @param shared whether several processes have the store, so that none may make a key of its own
   */
  public static Optional<MasterKey> open(
      Optional<Path> given, Path dataDir, boolean shared, KeyValueStore store) throws IOException {
    if (given.isPresent()) {
      return Optional.of(read(given.get()));
    }
    Path own = dataDir.resolve(NAME);
    if (shared) {
      return Optional.empty();
    }
    if (Files.exists(own)) {
      return Optional.of(read(own));
    }
    Optional<String> used = Seals.usedBy(store);
    if (used.isPresent()) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The stored secrets were sealed with the master key "
              + used.get()
              + ", and "
              + own
              + " is not there; put that file back, or name it with --master-key-file.");
    }
    return Optional.of(write(own));
  }

  /**
   * Returns the key that an operator's command works with on a stopped directory, if it has one.
   */
  public static Optional<MasterKey> beside(Path dataDir) throws IOException {
    Path own = dataDir.resolve(NAME);
    return Files.exists(own) ? Optional.of(read(own)) : Optional.empty();
  }

  /** Makes a key and writes it to a file that is not there yet. */
  static MasterKey make(Path file) throws IOException {
    if (Files.exists(file)) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The file " + file + " is there already; name another.");
    }
    return write(file);
  }

  private static MasterKey write(Path file) throws IOException {
    MasterKey key = MasterKey.make();
    PrivateFile.write(file.toAbsolutePath(), key.toJson() + "\n");
    return key;
  }

  private static MasterKey read(Path file) {
    try {
      return MasterKey.parse(PrivateFile.read(file));
    } catch (MasterKeyException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The master key file " + file + " " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The master key file "
              + file
              + " can't be read ("
              + e
              + "); 'bridle master-key create FILE' makes one for new storage.",
          e);
    }
  }
}
