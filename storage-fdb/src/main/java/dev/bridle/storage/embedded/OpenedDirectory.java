package dev.bridle.storage.embedded;

import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data directory after all checks: locked, in a known format, and with every acknowledged commit.
 *
 * <pre>
 * store.lock    held while the store is open
 * acknowledged  the tripwire's mark
 * rocksdb/      the data
 * native/       RocksDB's own library, unpacked
 * </pre>
 *
 * @param version the version to go on from
 */
record OpenedDirectory(
    Path directory, DirectoryLock lock, Tripwire tripwire, Database database, long version) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedDirectory.class);

  static OpenedDirectory open(Path directory, EmbeddedOptions options) {
    try {
      Files.createDirectories(directory);
      DirectoryLock lock = DirectoryLock.take(directory);
      try {
        return openLocked(directory, options, lock);
      } catch (IOException | RocksDBException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException | RocksDBException e) {
      throw new OpenRefusedException(
          Reason.UNREADABLE,
          "The data directory "
              + directory
              + " can't be opened ("
              + e.getMessage()
              + "); check that it may be written and that its disk is sound.",
          e);
    }
  }

  private static OpenedDirectory openLocked(
      Path directory, EmbeddedOptions options, DirectoryLock lock)
      throws IOException, RocksDBException {
    NativeLibrary.load(directory);
    Path files = directory.resolve("rocksdb");
    boolean isNew = !Files.exists(files.resolve("CURRENT"));
    DatabaseConfig config = new DatabaseConfig(options);
    try {
      OptionalLong found = isNew ? OptionalLong.empty() : inspect(directory, files, config);
      long recovered = found.orElse(0);
      // A new directory gets its mark first: the mark is what tells that data was ever there.
      boolean marked = Tripwire.exists(directory);
      if (!isNew && !marked && !options.acceptLoss()) {
        throw markMissing(directory, recovered);
      }
      Tripwire tripwire = Tripwire.open(directory);
      long acknowledged = tripwire.version();
      if (recovered < acknowledged) {
        if (!options.acceptLoss()) {
          throw dataMissing(directory, recovered, acknowledged);
        }
        LOG.warn(
            "Opening {} without the acknowledged versions {} to {}, as asked for",
            directory,
            recovered + 1,
            acknowledged);
      }
      long version = Math.max(recovered, acknowledged);
      Files.createDirectories(files);
      Database database = new Database(config, RocksDB.open(config.options(), files.toString()));
      if (found.isEmpty() || recovered < version) {
        setUp(database, version);
      }
      tripwire.raiseTo(version);
      return new OpenedDirectory(directory, lock, tripwire, database, version);
    } catch (IOException | RocksDBException | RuntimeException e) {
      config.close();
      throw e;
    }
  }

  /**
   * Reads version and format without writing: opening for real would cut off what it could not
   * recover, and with it the evidence and the chance of putting lost files back.
   */
  private static OptionalLong inspect(Path directory, Path files, DatabaseConfig config)
      throws RocksDBException {
    try (RocksDB readOnly = RocksDB.openReadOnly(config.options(), files.toString())) {
      int format = EngineRecords.format(readOnly);
      if (format != EngineRecords.FORMAT) {
        throw new OpenRefusedException(
            Reason.UNKNOWN_FORMAT,
            "The data directory "
                + directory
                + " has format "
                + format
                + ", and this release of Bridle reads format "
                + EngineRecords.FORMAT
                + "; open it with the release that wrote it.");
      }
      return EngineRecords.version(readOnly);
    }
  }

  private static void setUp(Database database, long version) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      EngineRecords.putFormat(batch);
      EngineRecords.putVersion(batch, version);
      database.write(batch);
    }
  }

  private static OpenRefusedException dataMissing(
      Path directory, long recovered, long acknowledged) {
    return new OpenRefusedException(
        Reason.ACKNOWLEDGED_DATA_MISSING,
        "The data directory "
            + directory
            + " has lost acknowledged commits: versions "
            + (recovered + 1)
            + " to "
            + acknowledged
            + " are missing. Put the lost files back or restore a backup; to go on without these"
            + " commits, start with --accept-loss.");
  }

  private static OpenRefusedException markMissing(Path directory, long recovered) {
    return new OpenRefusedException(
        Reason.ACKNOWLEDGED_DATA_MISSING,
        "The data directory "
            + directory
            + " holds commits up to version "
            + recovered
            + ", but its file 'acknowledged' is missing, so nobody can tell whether more were"
            + " acknowledged. Put the file back; to go on with what is there, start with"
            + " --accept-loss.");
  }
}
