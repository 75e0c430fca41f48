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
 * The file of the master key, readable by its owner only. For an embedded store it is created at
 * the first start. It is not part of backups and exports.
 */
public final class MasterKeyFile {
  private static final String NAME = "master.key";

  private MasterKeyFile() {}

  /**
   * Returns the master key for a store.
   *
   * @param given the file that the operator configured
   * @param dataDir the directory in which the file is created if none was configured
   * @param shared whether several processes use the store, so that none may create its own key
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
          "The stored secrets are encrypted with the master key "
              + used.get()
              + ", and "
              + own
              + " does not exist. Restore that file, or set its path with --master-key-file.");
    }
    return Optional.of(write(own));
  }

  /** Returns the key of a directory without a running server, if it has one. */
  public static Optional<MasterKey> beside(Path dataDir) throws IOException {
    Path own = dataDir.resolve(NAME);
    return Files.exists(own) ? Optional.of(read(own)) : Optional.empty();
  }

  /** Creates a key and writes it to a new file. */
  static MasterKey create(Path file) throws IOException {
    if (Files.exists(file)) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The file " + file + " already exists. Choose another.");
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
              + "). 'bridle master-key create FILE' creates one for new storage.",
          e);
    }
  }
}
