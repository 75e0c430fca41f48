package dev.bridle.storage.embedded;

import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
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
 * acknowledged  the last acknowledged version
 * rocksdb/      the data
 * native/       RocksDB's native library, unless -Dbridle.native names another folder
 * </pre>
 *
 * @param version the version to continue from
 */
record OpenedDirectory(
    Path directory, DirectoryLock lock, AcknowledgedMark mark, Database database, long version) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedDirectory.class);
  private static final String FILES = "rocksdb";

  static OpenedDirectory open(Path directory, EmbeddedOptions options) {
    try {
      create(directory);
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
    Path files = directory.resolve(FILES);
    DatabaseConfig config = new DatabaseConfig(options);
    try {
      LogTail.cutAll(files);
      Inspection found = Inspection.of(directory, files, config);
      found.check(directory, options.acceptLoss());
      if (found.isDamaged()) {
        found = Salvage.run(directory, files, config, found);
      }
      if (found.missing() > 0) {
        LOG.warn(
            "Opening {} without the acknowledged versions from {} on, since their loss was"
                + " accepted",
            directory,
            found.recovered().orElse(0) + 1);
      }
      // A new directory gets its marker first: the marker records that data has existed.
      AcknowledgedMark mark = AcknowledgedMark.open(directory);
      create(files);
      RocksDB rocks = RocksDB.open(config.options(), files.toString());
      OwnerOnly.closeAll(
          Stream.of(FILES, "native", "acknowledged", DirectoryLock.FILE)
              .map(directory::resolve)
              .toList());
      Database database = new Database(config, rocks);
      long version = found.next();
      if (found.recovered().isEmpty() || found.recovered().getAsLong() < version) {
        setUp(database, version);
      }
      mark.raiseTo(version);
      return new OpenedDirectory(directory, lock, mark, database, version);
    } catch (IOException | RocksDBException | RuntimeException e) {
      config.close();
      throw e;
    }
  }

  private static void setUp(Database database, long version) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      EngineRecords.putFormat(batch);
      EngineRecords.putVersion(batch, version);
      database.write(batch);
    }
  }

  /** Creates a folder durably, so that a power loss can't remove its name. */
  private static void create(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      create(parent);
    }
    Files.createDirectories(folder);
    if (parent != null) {
      syncNames(parent);
    }
  }

  /** Syncs the names in a folder to disk. */
  static void syncNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
