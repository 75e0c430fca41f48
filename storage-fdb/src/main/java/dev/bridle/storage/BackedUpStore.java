package dev.bridle.storage;

import java.nio.file.Path;

/** A store that can copy itself while it is used. A cluster has tools of its own for that. */
public interface BackedUpStore extends KeyValueStore {

  /**
   * Makes a consistent copy in a folder, beside earlier ones with which it shares files: all that
   * was acknowledged before the call is in it. Takes as long as the disk takes; commits go on
   * meanwhile.
   *
   * @param keep how many backups the folder keeps, the new one among them; 0: all
   * @throws BackupFailedException when the folder can't be written or is in use; the store goes on
   */
  StoredBackup backUp(Path folder, int keep);
}
