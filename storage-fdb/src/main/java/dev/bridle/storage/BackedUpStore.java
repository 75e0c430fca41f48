package dev.bridle.storage;

import java.nio.file.Path;

/** A store that can be backed up while it is in use. Clusters have their own backup tools. */
public interface BackedUpStore extends KeyValueStore {

  /**
   * Creates a consistent backup in a folder, which shares files with earlier ones there. It
   * contains all commits that were acknowledged before the call. Blocks until the backup is
   * written; commits continue meanwhile.
   *
   * @param keep how many backups the folder keeps, including the new one; 0: all
   * @throws BackupFailedException when the folder can't be written or is in use; the store is not
   *     affected
   */
  StoredBackup backUp(Path folder, int keep);
}
