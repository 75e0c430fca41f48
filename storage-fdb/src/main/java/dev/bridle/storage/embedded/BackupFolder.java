package dev.bridle.storage.embedded;

import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.StoredBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BackupInfo;
import org.rocksdb.Env;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of backups, locked against other processes while it is open. Each backup records the
 * directory format and the last acknowledged version, besides RocksDB's checksums of its files.
 */
public final class BackupFolder implements AutoCloseable {
  private static final Pattern NOTE = Pattern.compile("bridle format=(\\d+) acknowledged=(\\d+)");
  private static final String FILES = "rocksdb";
  private static final Logger LOG = LoggerFactory.getLogger(BackupFolder.class);

  private final Path folder;
  private final DirectoryLock lock;
  private final BackupEngineOptions options;
  private final BackupEngine engine;

  private BackupFolder(
      Path folder, DirectoryLock lock, BackupEngineOptions options, BackupEngine engine) {
    this.folder = folder;
    this.lock = lock;
    this.options = options;
    this.engine = engine;
  }

  /**
   * Requires that a folder that somebody else may have made has nothing but folders and regular
   * files, before anything in it is opened.
   *
   * @throws BackupFailedException if it has anything else, or can't be read
   */
  public static void requirePlainFiles(Path folder) {
    PlainTree.require(folder);
  }

  /**
   * Opens a folder that has backups.
   *
   * @param scratch a writable directory, for RocksDB's native library
   * @throws BackupFailedException when it has none, can't be read, or is in use
   */
  public static BackupFolder existing(Path folder, Path scratch) {
    if (!Files.isDirectory(folder.resolve("meta"))) {
      throw new BackupFailedException(
          folder + " holds no backup; name the folder that 'bridle backup' was given.");
    }
    NativeLibrary.load(scratch);
    return open(folder);
  }

  static BackupFolder open(Path folder) {
    try {
      Files.createDirectories(folder);
      PlainTree.require(folder);
      // From here on nobody else can put a link there.
      OwnerOnly.closeAll(List.of(folder));
      PlainTree.require(folder);
      DirectoryLock lock = DirectoryLock.take(folder);
      BackupEngineOptions options =
          new BackupEngineOptions(folder.toString())
              .setSync(true)
              // Memtables are flushed first, so no logs are copied, whose last records may be torn.
              .setBackupLogFiles(false);
      try {
        BackupEngine engine = BackupEngine.open(Env.getDefault(), options);
        OwnerOnly.closeAll(List.of(folder));
        return new BackupFolder(folder, lock, options, engine);
      } catch (RocksDBException e) {
        options.close();
        lock.close();
        throw unreadable(folder, e);
      }
    } catch (OpenRefusedException e) {
      throw new BackupFailedException(
          "The backup folder " + folder + " is in use; wait until the other backup has ended.", e);
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  /** Creates a backup of an open database, and deletes the oldest beyond {@code keep}. */
  StoredBackup add(RocksDB rocks, long acknowledged, int keep) throws RocksDBException {
    String note = "bridle format=" + EngineRecords.FORMAT + " acknowledged=" + acknowledged;
    engine.createNewBackupWithMetadata(rocks, note, true);
    OwnerOnly.closeAll(List.of(folder));
    BackupInfo made =
        engine.getBackupInfo().stream()
            .max(Comparator.comparingInt(BackupInfo::backupId))
            .orElseThrow();
    if (keep > 0) {
      purge(keep);
    }
    return toStoredBackup(made);
  }

  /** Deletes the oldest backups. A failure is only logged, since the new backup exists. */
  private void purge(int keep) {
    try {
      engine.purgeOldBackups(keep);
    } catch (RocksDBException e) {
      LOG.warn(
          "The backup is made, but older ones in {} could not be removed: {}",
          folder,
          e.getMessage());
    }
  }

  /** Returns the backups, oldest first. */
  public List<StoredBackup> list() {
    return engine.getBackupInfo().stream()
        .map(BackupFolder::toStoredBackup)
        .sorted(Comparator.comparingInt(StoredBackup::number))
        .toList();
  }

  /** Returns the backups with greater numbers that can't be restored, oldest first. */
  public List<UnusableBackup> unusableAfter(int number) {
    return unusable().stream().filter(backup -> backup.number() > number).toList();
  }

  private List<UnusableBackup> unusable() {
    Set<Integer> usable =
        engine.getBackupInfo().stream().map(BackupInfo::backupId).collect(Collectors.toSet());
    return UnusableBackup.in(folder, usable);
  }

  /**
   * Restores a backup into a directory that does not exist, and verifies it.
   *
   * @param number which one; empty: the newest that can be restored, see {@link #unusableAfter}
   */
  public StoredBackup restore(Optional<Integer> number, Path directory) {
    StoredBackup backup = find(number);
    try {
      Files.createDirectories(directory);
      String files = directory.resolve(FILES).toString();
      try (RestoreOptions restoring = new RestoreOptions(false)) {
        engine.restoreDbFromBackup(backup.number(), files, files, restoring);
      }
      mark(directory, backup);
      OwnerOnly.closeAll(List.of(directory));
      return backup;
    } catch (RocksDBException | IOException e) {
      throw new BackupFailedException(
          "Backup "
              + backup.number()
              + " in "
              + folder
              + " can't be restored: "
              + e.getMessage()
              + "; try an older one with --backup.",
          e);
    }
  }

  private StoredBackup find(Optional<Integer> number) {
    return list().stream()
        .filter(backup -> number.isEmpty() || backup.number() == number.get())
        .max(Comparator.comparingInt(StoredBackup::number))
        .orElseThrow(() -> absent(number));
  }

  private BackupFailedException absent(Optional<Integer> number) {
    List<UnusableBackup> unusable =
        unusable().stream()
            .filter(backup -> number.isEmpty() || backup.number() == number.get())
            .toList();
    String whole =
        "it holds " + list().stream().map(StoredBackup::number).toList() + " that can be restored.";
    if (unusable.isEmpty()) {
      return new BackupFailedException(
          folder
              + " holds no backup "
              + number.map(String::valueOf).orElse("at all")
              + "; "
              + whole);
    }
    String reasons =
        unusable.stream()
            .map(backup -> "backup " + backup.number() + " " + backup.reason())
            .collect(Collectors.joining("; "));
    return new BackupFailedException(
        "No backup of " + folder + " is restored: " + reasons + "; " + whole);
  }

  /** Creates the marker that data exists, if it does. */
  private void mark(Path directory, StoredBackup backup) throws IOException, RocksDBException {
    try (DatabaseConfig config = new DatabaseConfig(EmbeddedOptions.DEFAULT)) {
      Inspection found = Inspection.of(directory, directory.resolve(FILES), config);
      if (found.isDamaged() || found.recovered().orElse(0) < backup.version()) {
        throw new BackupFailedException(
            "Backup "
                + backup.number()
                + " in "
                + folder
                + " is not whole: "
                + (found.isDamaged()
                    ? found.damage()
                    : "it ends at version "
                        + found.recovered().orElse(0)
                        + " instead of "
                        + backup.version())
                + "; take an older one with --backup.");
      }
      AcknowledgedMark.open(directory).raiseTo(found.recovered().orElse(0));
    }
  }

  private static StoredBackup toStoredBackup(BackupInfo info) {
    Matcher note = NOTE.matcher(info.appMetadata() == null ? "" : info.appMetadata());
    if (!note.matches()) {
      throw new BackupFailedException(
          "Backup " + info.backupId() + " was not made by 'bridle backup'.");
    }
    if (Integer.parseInt(note.group(1)) != EngineRecords.FORMAT) {
      throw new BackupFailedException(
          "Backup "
              + info.backupId()
              + " has directory format "
              + note.group(1)
              + ", and this Bridle knows format "
              + EngineRecords.FORMAT
              + "; use the Bridle that made it.");
    }
    return new StoredBackup(
        info.backupId(),
        info.timestamp() * 1000,
        info.size(),
        info.numberFiles(),
        Long.parseLong(note.group(2)));
  }

  private static BackupFailedException unreadable(Path folder, Exception cause) {
    return new BackupFailedException(
        "The backup folder "
            + folder
            + " can't be used: "
            + cause.getMessage()
            + "; check that it may be written and that its disk is sound.",
        cause);
  }

  @Override
  public void close() {
    engine.close();
    options.close();
    try {
      lock.close();
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }
}
